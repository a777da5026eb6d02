// Owners and their dependents: what nobody owns any longer goes, and a delete may wait for it, or let it be.
import { apiVersionOf, type Resource, resources } from '../../matrix/api/index.js';
import { backOffMillis } from '../backOff.js';
import { StatusError } from '../errors.js';
import type { Propagation } from '../registry/deletion.js';
import type { Store } from '../registry/store.js';
import type { KubeObject, OwnerReference } from '../schema/object.js';
import type { Storage } from '../storage/storage.js';
import { keepRunning, type Running } from './controller.js';
import { Turns } from './later.js';

const collectorName = 'garbage-collector';
const orphan = 'orphan';
const foreground = 'foregroundDeletion';

const collected: readonly Resource[] = resources.filter(
  ({ sharedWith, stated, unstated }) => sharedWith === undefined && [...stated, ...unstated].includes('replace'),
);

/** The kinds that can be owners, by apiVersion and kind. */
const kinds = new Map(
  resources.map((resource) => [`${apiVersionOf(resource.groupVersion)}/${resource.kind}`, resource]),
);

/** Collects until the signal aborts. */
export async function garbageCollector(running: Running): Promise<void> {
  const { registry, signal } = running;
  const collector = new Collector(running);
  const loop = async (works: () => void): Promise<void> => {
    const revision = await collector.readAll();
    works();
    for await (const changes of registry.storage.watch('', revision, signal)) {
      for (const { type, entry } of changes) {
        const work = collector.see(entry.key, entry.value as KubeObject, type === 'remove');
        if (work !== undefined) await work;
      }
    }
  };
  await keepRunning(collectorName, loop, running);
  await collector.retries.ended();
}

/** An object that is there, and the store that it is in. */
interface Known {
  readonly key: string;
  readonly object: KubeObject;
  readonly store: Store;
}

class Collector {
  readonly #known = new Map<string, Known>();
  readonly #keys = new Map<string, string>();
  /** Keys of objects by the uid of what owns them. */
  readonly #dependents = new Map<string, Set<string>>();
  /** By the prefix of their keys. */
  readonly #stores: ReadonlyMap<string, Store>;
  readonly #storage: Storage;

  /** What failed and is tried again. */
  readonly retries: Turns;

  constructor(readonly running: Running) {
    const { registry, signal } = running;
    this.retries = new Turns(signal);
    this.#stores = new Map(
      collected.map((resource) => registry.of(resource)).map((store) => [store.prefix(), store] as const),
    );
    this.#storage = registry.storage;
  }

  /** Looks at everything that is there; answers the revision that it saw. */
  async readAll(): Promise<number> {
    this.#known.clear();
    this.#keys.clear();
    this.#dependents.clear();
    const { entries, revision } = await this.#storage.list('');
    for (const { key, value } of entries) this.#remember(key, value as KubeObject);
    // What lost its owner while nobody looked is found here.
    for (const { key } of entries) await this.#look(key);
    return revision;
  }

  /** Takes a change in, and does what it calls for: nothing, for most. */
  see(key: string, object: KubeObject, removed: boolean): Promise<void> | undefined {
    const before = this.#known.get(key)?.object ?? object;
    if (removed) this.#forget(key);
    else this.#remember(key, object);
    const { deletionTimestamp, ownerReferences = [] } = object.metadata;
    const lastOwners = before.metadata.ownerReferences ?? [];
    if (!removed && deletionTimestamp === undefined && ownerReferences.length + lastOwners.length === 0) return;
    return this.#follow(key, object, removed, lastOwners);
  }

  async #follow(
    key: string,
    object: KubeObject,
    removed: boolean,
    lastOwners: readonly OwnerReference[],
  ): Promise<void> {
    if (!removed) await this.#look(key);
    else for (const { key: dependent } of this.#dependentsOf(object)) await this.#look(dependent);
    // An owner that waits for it may go on, when it no longer blocks, or is gone.
    for (const { uid } of lastOwners) {
      const owner = this.#keys.get(uid);
      if (owner !== undefined) await this.#look(owner);
    }
  }

  /** Does what an object needs: as an owner that is being deleted, or as a dependent. */
  async #look(key: string, failures = 0): Promise<void> {
    const { report, registry } = this.running;
    const what = `${collectorName} ${key}`;
    try {
      await this.#handle(key);
      registry.health.works(what);
    } catch (error) {
      report(error);
      registry.health.failed(what, error);
      const next = failures + 1;
      this.retries.doLater(key, backOffMillis(next), () => this.#look(key, next));
    }
  }

  async #handle(key: string): Promise<void> {
    const known = this.#known.get(key);
    if (known === undefined) return;
    const { deletionTimestamp, finalizers = [] } = known.object.metadata;
    if (deletionTimestamp === undefined) await this.#collect(known);
    else if (finalizers.includes(orphan)) await this.#orphan(known);
    else if (finalizers.includes(foreground)) await this.#deleteFirst(known);
  }

  /** The dependents stay, without their owner. */
  async #orphan(owner: Known): Promise<void> {
    const { uid } = owner.object.metadata;
    for (const dependent of this.#dependentsOf(owner.object)) await disown(dependent, (of) => of.uid === uid);
    await removeFinalizer(owner, orphan);
  }

  /** The dependents that block their owner go before it; the others need not. */
  async #deleteFirst(owner: Known): Promise<void> {
    const { uid } = owner.object.metadata;
    const blocking = this.#dependentsOf(owner.object).filter(({ object }) =>
      object.metadata.ownerReferences?.some((of) => of.uid === uid && of.blockOwnerDeletion),
    );
    if (blocking.length === 0) return removeFinalizer(owner, foreground);
    for (const dependent of blocking) {
      if (dependent.object.metadata.deletionTimestamp === undefined) await this.#collect(dependent);
    }
  }

  /**
   * Deletes an object that no owner keeps: each is gone, or waits for its dependents. Where another one keeps it, it
   * only forgets those that do not.
   */
  async #collect(dependent: Known): Promise<void> {
    const { object } = dependent;
    const { ownerReferences = [], finalizers = [] } = object.metadata;
    if (ownerReferences.length === 0) return;
    const states = new Map(ownerReferences.map((of) => [of, this.#stateOf(of, object)]));
    const left = ownerReferences.filter((of) => states.get(of) !== 'keeps');
    if (left.length === 0) return;
    const uids = new Set(left.map(({ uid }) => uid));
    if (left.length < ownerReferences.length) return disown(dependent, (of) => uids.has(of.uid));
    const waits = left.some((of) => states.get(of) === 'waits');
    if (waits && this.#dependentsOf(object).length > 0) return remove(dependent, 'Foreground');
    const own = finalizers.includes(orphan) ? 'Orphan' : finalizers.includes(foreground) ? 'Foreground' : 'Background';
    return remove(dependent, own);
  }

  /** What an owner is to its dependent. One of a kind that is not served here is left to whoever serves it. */
  #stateOf({ apiVersion, kind, name, uid }: OwnerReference, dependent: KubeObject): 'keeps' | 'waits' | 'gone' {
    const served = kinds.get(`${apiVersion}/${kind}`);
    if (served === undefined || (served.namespaced && dependent.metadata.namespace === undefined)) return 'keeps';
    const owner = this.#known.get(this.#keys.get(uid) ?? '')?.object;
    if (owner === undefined || owner.kind !== kind || owner.metadata.name !== name) return 'gone';
    if (served.namespaced && owner.metadata.namespace !== dependent.metadata.namespace) return 'gone';
    const { deletionTimestamp, finalizers = [] } = owner.metadata;
    return deletionTimestamp !== undefined && finalizers.includes(foreground) ? 'waits' : 'keeps';
  }

  #dependentsOf({ metadata: { uid = '' } }: KubeObject): Known[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((key) => this.#known.get(key) ?? []);
  }

  #remember(key: string, object: KubeObject): void {
    this.#forget(key);
    const store = this.#stores.get(key.slice(0, key.indexOf('/', key.indexOf('/') + 1) + 1));
    if (store === undefined) return;
    this.#known.set(key, { key, object, store });
    if (object.metadata.uid) this.#keys.set(object.metadata.uid, key);
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const keys = this.#dependents.get(uid) ?? new Set();
      this.#dependents.set(uid, keys.add(key));
    }
  }

  #forget(key: string): void {
    const known = this.#known.get(key);
    this.#known.delete(key);
    if (known?.object.metadata.uid) this.#keys.delete(known.object.metadata.uid);
    for (const { uid } of known?.object.metadata.ownerReferences ?? []) {
      const keys = this.#dependents.get(uid);
      keys?.delete(key);
      if (keys?.size === 0) this.#dependents.delete(uid);
    }
  }
}

const placeOf = ({ metadata: { namespace, name = '' } }: KubeObject) => ({ namespace, name });

async function amend({ object, store }: Known, change: (metadata: KubeObject['metadata']) => object): Promise<void> {
  await store
    .amend(placeOf(object), (current) => ({
      ...current,
      metadata: { ...current.metadata, ...change(current.metadata) },
    }))
    .catch(unlessGone);
}

/** Takes the owners that match out of an object. */
function disown(dependent: Known, match: (owner: OwnerReference) => boolean): Promise<void> {
  return amend(dependent, ({ ownerReferences = [] }) => ({
    ownerReferences: ownerReferences.filter((owner) => !match(owner)),
  }));
}

function removeFinalizer(owner: Known, finalizer: string): Promise<void> {
  return amend(owner, ({ finalizers = [] }) => ({ finalizers: finalizers.filter((name) => name !== finalizer) }));
}

/** Deletes an object as it was seen: one that moved since is looked at again. */
async function remove({ object, store }: Known, propagationPolicy: Propagation): Promise<void> {
  const { uid = '', resourceVersion = '' } = object.metadata;
  await store.delete(placeOf(object), { dryRun: false, propagationPolicy, uid, resourceVersion }).catch(unlessGone);
}

/** It is gone, or has changed by now. */
function unlessGone(error: unknown): void {
  if (!(error instanceof StatusError && [404, 409].includes(error.code))) throw error;
}
