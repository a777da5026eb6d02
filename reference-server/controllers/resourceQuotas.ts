// Recounts quotas after every change of a measured object, so that deleted objects and ended pods free their quota.
import { evaluators } from '../quota/evaluators.js';
import type { QuotaLedger } from '../quota/ledger.js';
import { longestMillis } from '../quota/pendingCharges.js';
import { internalOf, type KubeObject } from '../schema/object.js';
import type { Storage } from '../storage/storage.js';
import { prefixOf, storageResource } from '../versions/addresses.js';
import type { ServedResources } from '../versions/servedResources.js';
import { type Controller, type Handled, keepRunning, type Running } from './controller.js';

export function resourceQuotaControllers(quotas: Pick<QuotaLedger, 'refresh'>): readonly Controller[] {
  const recount = async (object: KubeObject): Promise<Handled> => {
    quotas.refresh(object.metadata.namespace ?? '');
    // A quota with charges is looked at again: the server that made them may have ended.
    return internalOf(object) === undefined ? undefined : longestMillis;
  };
  return evaluators.map(({ resource }) => ({
    name: `quota-controller of ${resource}`,
    feature: 'quota-controller',
    resource,
    reconcile: recount,
    forget: async (object) => void (await recount(object)),
  }));
}

interface CountingParts extends Running {
  readonly storage: Pick<Storage, 'revision' | 'watch'>;
  readonly served: ServedResources;
}

/** Recounts quotas after changes of resources that were made while the server runs. Waits for the first of them. */
export async function madeResourceQuotas(quotas: Pick<QuotaLedger, 'refresh'>, running: CountingParts): Promise<void> {
  const { storage, served, signal } = running;
  const prefixes = new Set<string>();
  await new Promise<void>((resolve) => {
    const end = served.onChange((_removed, added) => {
      for (const resource of added) prefixes.add(prefixOf(storageResource(resource)));
      if (prefixes.size > 0) resolve();
    });
    signal.addEventListener(
      'abort',
      () => {
        end();
        resolve();
      },
      { once: true },
    );
  });
  const loop = async (works: () => void): Promise<void> => {
    const revision = await storage.revision();
    works();
    for await (const changes of storage.watch('', revision, signal)) {
      for (const { entry } of changes) {
        const { key } = entry;
        if (!prefixes.has(key.slice(0, key.indexOf('/', key.indexOf('/') + 1) + 1))) continue;
        const { namespace } = entry.value.metadata;
        if (namespace !== undefined) quotas.refresh(namespace);
      }
    }
  };
  await keepRunning('quota-controller of custom resources', loop, running);
}
