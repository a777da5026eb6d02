// The admission plug-ins, one row each.
import type { IsDisabled } from '../features/features.js';
import type { Evaluators } from '../quota/evaluators.js';
import type { QuotaLedger } from '../quota/ledger.js';
import type { Store } from '../registry/store.js';
import type { TokenSecrets } from '../serviceaccounts/tokenSecrets.js';
import type { Storage } from '../storage/storage.js';
import { defaultAccounts } from './defaultAccounts.js';
import { limitRanger } from './limitRanger.js';
import { namespaceLifecycle } from './namespaceLifecycle.js';
import type { Plugin } from './plugin.js';
import { resourceQuota } from './resourceQuota.js';
import { type PodAccount, serviceAccount } from './serviceAccount.js';
import { serviceAccountTokens } from './serviceAccountTokens.js';

/** The dependencies of the plug-ins. */
export interface PluginParts {
  readonly storage: Pick<Storage, 'get'>;
  readonly accounts: Pick<Store<PodAccount>, 'find' | 'create'>;
  readonly limitRanges: Pick<Store, 'list'>;
  readonly tokens: TokenSecrets;
  readonly quotas: Pick<QuotaLedger, 'take'>;
  readonly evaluators: Pick<Evaluators, 'of'>;
  readonly lacks: IsDisabled;
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
}: PluginParts): Plugin[] {
  const plugins = [
    namespaceLifecycle(storage),
    defaultAccounts(accounts),
    serviceAccountTokens(tokens, lacks),
    serviceAccount(accounts, tokens, lacks),
    limitRanger(limitRanges),
    resourceQuota(quotas, evaluators),
  ];
  return plugins.filter(({ feature }) => feature === undefined || !lacks(feature));
}
