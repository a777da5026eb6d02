// Recounts quotas after every change of a measured object, so that deleted objects and ended pods free their quota.
import { evaluators, isCount } from '../quota/evaluators.js';
import type { QuotaLedger } from '../quota/ledger.js';
import { longestMillis } from '../quota/pendingCharges.js';
import { quotaSpecOf } from '../quota/usage.js';
import { internalOf, type KubeObject } from '../schema/object.js';
import type { Storage } from '../storage/storage.js';
import { prefixOf, storageResource } from '../versions/addresses.js';
import type { ServedResources } from '../versions/servedResources.js';
import { type Controller, type Handled, keepRunning, type Running } from './controller.js';

/** `counting` gets the namespaces of quotas that count objects of any resource. */
export function resourceQuotaControllers(
  quotas: Pick<QuotaLedger, 'refresh'>,
  counting: Counting,
): readonly Controller[] {
  const recount = async (object: KubeObject): Promise<Handled> => {
    const { namespace = '' } = object.metadata;
    if (Object.keys(quotaSpecOf(object).hard ?? {}).some(isCount)) counting.add(namespace);
    quotas.refresh(namespace);
    // A quota with charges is looked at again: the server that made them may have ended.
    return internalOf(object) === undefined ? undefined : longestMillis;
  };
  const limited = new LimitedNamespaces();
  const isQuota = (resource: string): boolean => resource === 'core/resourcequotas';
  return evaluators.map(({ resource }) => ({
    name: `quota-controller of ${resource}`,
    feature: 'quota-controller',
    resource,
    // A quota that is seen later is counted with all that is there by then.
    handles: ({ metadata: { namespace = '' } }) => isQuota(resource) || limited.has(namespace),
    async reconcile(object) {
      if (isQuota(resource)) limited.add(object);
      return recount(object);
    },
    async forget(object) {
      if (isQuota(resource)) limited.remove(object);
      await recount(object);
    },
  }));
}

/** The namespaces that have quotas. In all others there is nothing to recount. */
class LimitedNamespaces {
  /** The names of the quotas, by namespace. */
  readonly #quotas = new Map<string, Set<string>>();

  has(namespace: string): boolean {
    return this.#quotas.has(namespace);
  }

  add({ metadata: { namespace = '', name = '' } }: KubeObject): void {
    this.#quotas.set(namespace, (this.#quotas.get(namespace) ?? new Set()).add(name));
  }

  remove({ metadata: { namespace = '', name = '' } }: KubeObject): void {
    const names = this.#quotas.get(namespace);
    names?.delete(name);
    if (names?.size === 0) this.#quotas.delete(namespace);
  }
}

/** The namespaces in which quotas count objects of any resource. */
export class Counting {
  readonly #namespaces = new Set<string>();
  #call: () => void = () => {};

  add(namespace: string): void {
    this.#namespaces.add(namespace);
    this.#call();
  }

  has(namespace: string): boolean {
    return this.#namespaces.has(namespace);
  }

  get all(): Iterable<string> {
    return this.#namespaces;
  }

  /** Calls a function when there is such a namespace. */
  whenAny(call: () => void): void {
    this.#call = call;
    if (this.#namespaces.size > 0) call();
  }
}

interface CountingParts extends Running {
  readonly storage: Pick<Storage, 'revision' | 'watch'>;
  readonly served: ServedResources;
  readonly counting: Counting;
}

/**
 * Recounts quotas after changes of resources that were made while the server runs, and in namespaces whose quotas count
 * objects of any resource. Waits for the first of them.
 */
export async function countedResourceQuotas(
  quotas: Pick<QuotaLedger, 'refresh'>,
  running: CountingParts,
): Promise<void> {
  const { storage, served, signal, counting } = running;
  const prefixes = new Set<string>();
  // A server that stops while it becomes the leader gets a term that has ended.
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = served.onChange((_removed, added) => {
      for (const resource of added) prefixes.add(prefixOf(storageResource(resource)));
      if (prefixes.size > 0) resolve();
    });
    counting.whenAny(resolve);
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
    // What has changed before the watch is counted once more.
    for (const namespace of counting.all) quotas.refresh(namespace);
    for await (const changes of storage.watch('', revision, signal)) {
      for (const { entry } of changes) {
        const { key, value } = entry;
        const { namespace } = value.metadata;
        if (namespace === undefined) continue;
        const isMade = prefixes.has(key.slice(0, key.indexOf('/', key.indexOf('/') + 1) + 1));
        if (isMade || counting.has(namespace)) quotas.refresh(namespace);
      }
    }
  };
  await keepRunning('quota-controller of counted resources', loop, running);
}
