// The admission plug-ins, one row each, and those of a few lines.

import { forbidden } from '../errors.js';
import type { IsDisabled } from '../features/features.js';
import { type Evaluators, evaluators } from '../quota/evaluators.js';
import type { QuotaLedger } from '../quota/ledger.js';
import { namespaceFence } from '../registry/namespaceFence.js';
import type { Store } from '../registry/store.js';
import type { ServiceAccount } from '../registry/strategies/serviceAccounts.js';
import { createDefaultAccount } from '../serviceaccounts/defaultAccount.js';
import type { TokenSecrets } from '../serviceaccounts/tokenSecrets.js';
import type { Storage } from '../storage/storage.js';
import { limitRanger } from './limitRanger.js';
import type { Plugin } from './plugin.js';
import { serviceAccount } from './serviceAccount.js';
import { serviceAccountTokens } from './serviceAccountTokens.js';

/** Creates the default service account of a new namespace before the response is sent. */
const defaultAccounts = (accounts: Pick<Store, 'create'>): Plugin => ({
  feature: 'service-account-controller',
  resources: ['core/namespaces'],
  async reserve({ object, dryRun }) {
    const { name = '' } = object.metadata;
    return async (written) => {
      if (written && !dryRun) await createDefaultAccount(accounts, name);
    };
  },
});

/** Refuses writes that exceed a ResourceQuota of the namespace. */
const resourceQuota = (quotas: Pick<QuotaLedger, 'take'>, of: Pick<Evaluators, 'of'>): Plugin => ({
  feature: 'quota-admission',
  concerns: (stored) => of.of(stored) !== undefined,
  updatesOf: evaluators.filter(({ grows }) => grows).map(({ resource }) => resource),
  async reserve({ resource, stored, namespace, object, before, dryRun }) {
    const evaluator = of.of(stored);
    if (evaluator === undefined || namespace === undefined) return undefined;
    if (before !== undefined && !evaluator.grows) return undefined;
    const refuse = (why: string) => forbidden(resource, object.metadata.name ?? '', why);
    return quotas.take({ evaluator, namespace, object, refuse, ...(before !== undefined && { before }) }, dryRun);
  },
});

/**
 * Refuses creates in a namespace that is absent or terminating, before other plug-ins do work for the object. The fence
 * of the write is decisive.
 */
const namespaceLifecycle = (storage: Pick<Storage, 'get'>): Plugin => ({
  async mutate({ resource, namespace, object }) {
    const fence = namespaceFence(resource, namespace, object.metadata.name ?? '');
    fence?.check(await storage.get(fence.key));
  },
});

/** The dependencies of the plug-ins. */
export interface PluginParts {
  readonly storage: Pick<Storage, 'get'>;
  readonly accounts: Pick<Store<ServiceAccount>, 'find' | 'create'>;
  readonly limitRanges: Pick<Store, 'list'>;
  readonly tokens: TokenSecrets;
  readonly quotas: Pick<QuotaLedger, 'take'>;
  readonly evaluators: Pick<Evaluators, 'of'>;
  readonly lacks: IsDisabled;
  /** The minor version of Kubernetes that the server reports. */
  readonly minor: number;
}

/**
 * Returns the plug-ins in the order of their calls. The quota is last, so that it charges only writes that no other
 * plug-in refuses.
 */
export function admissionPlugins({
  storage,
  accounts,
  limitRanges,
  tokens,
  quotas,
  evaluators,
  lacks,
  minor,
}: PluginParts): Plugin[] {
  const plugins = [
    namespaceLifecycle(storage),
    defaultAccounts(accounts),
    serviceAccountTokens(tokens, lacks),
    serviceAccount(accounts, tokens, lacks, minor),
    limitRanger(limitRanges),
    resourceQuota(quotas, evaluators),
  ];
  return plugins.filter(({ feature }) => feature === undefined || !lacks(feature));
}
