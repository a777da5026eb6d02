// Owners and their dependents: what nobody owns any longer goes, and a delete may wait for it, or let it be.
import { type Resource, resources } from '../../matrix/api/index.js';
import { StatusError } from '../errors.js';
import type { Registry } from '../registry/registry.js';
import type { Store } from '../registry/store.js';
import type { KubeObject } from '../schema/object.js';
import { Compacted, type Storage } from '../storage/storage.js';
import type { Report } from './controller.js';

const orphan = 'orphan';
const foreground = 'foregroundDeletion';

const collected: readonly Resource[] = resources.filter(
  ({ sharedWith, stated, unstated }) => sharedWith === undefined && [...stated, ...unstated].includes('replace'),
);

/** Collects until the signal aborts. */
export async function garbageCollector(registry: Registry, signal: AbortSignal, report: Report): Promise<void> {
  const collector = new Collector(registry, report);
  while (!signal.aborted) {
    try {
      const revision = await collector.readAll();
      for await (const changes of registry.storage.watch('', revision, signal)) {
        for (const { type, entry } of changes)
          await collector.see(entry.key, entry.value as KubeObject, type === 'remove');
      }
    } catch (error) {
      if (!(error instanceof Compacted)) throw error;
    }
  }
}

/** An object that is there, and the store that it is in. */
interface Known {
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

  constructor(
    registry: Registry,
    readonly report: Report,
  ) {
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
    for (const { key, value } of entries) await this.#act(key, value as KubeObject);
    return revision;
  }

  /** Takes a change in; answers what there is to wait for, if it calls for something. */
  see(key: string, object: KubeObject, removed: boolean): Promise<void> | undefined {
    if (removed) {
      this.#forget(key);
      return this.#ownerGone(object);
    }
    this.#remember(key, object);
    return object.metadata.deletionTimestamp === undefined ? undefined : this.#act(key, object);
  }

  async #act(key: string, { metadata: { deletionTimestamp, finalizers = [] } }: KubeObject): Promise<void> {
    const known = this.#known.get(key);
    if (known === undefined || deletionTimestamp === undefined) return;
    try {
      if (finalizers.includes(orphan)) await this.#orphan(known);
      else if (finalizers.includes(foreground)) await this.#deleteFirst(known);
    } catch (error) {
      this.report(error);
    }
  }

  /** The dependents stay, without their owner. */
  async #orphan(owner: Known): Promise<void> {
    for (const dependent of this.#dependentsOf(owner.object)) {
      await amend(dependent, ({ ownerReferences = [] }) => ({
        ownerReferences: ownerReferences.filter(({ uid }) => uid !== owner.object.metadata.uid),
      }));
    }
    await removeFinalizer(owner, orphan);
  }

  /** The dependents go before their owner. */
  async #deleteFirst(owner: Known): Promise<void> {
    const dependents = this.#dependentsOf(owner.object);
    for (const { object, store } of dependents) {
      if (object.metadata.deletionTimestamp === undefined) await remove(store, object, 'Foreground');
    }
    const blocking = dependents.some(({ object }) =>
      object.metadata.ownerReferences?.some(
        ({ uid, blockOwnerDeletion }) => uid === owner.object.metadata.uid && blockOwnerDeletion,
      ),
    );
    if (!blocking) await removeFinalizer(owner, foreground);
  }

  /** Its dependents go, unless another owner of theirs is there; an owner that waited for it may go on. */
  async #ownerGone(object: KubeObject): Promise<void> {
    try {
      for (const { object: dependent, store } of this.#dependentsOf(object)) {
        const others = (dependent.metadata.ownerReferences ?? []).filter(({ uid }) => this.#keys.has(uid));
        if (others.length === 0) await remove(store, dependent, 'Background');
      }
    } catch (error) {
      this.report(error);
    }
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const key = this.#keys.get(uid);
      const owner = key === undefined ? undefined : this.#known.get(key);
      if (key !== undefined && owner) await this.#act(key, owner.object);
    }
  }

  #dependentsOf({ metadata: { uid = '' } }: KubeObject): Known[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((key) => this.#known.get(key) ?? []);
  }

  #remember(key: string, object: KubeObject): void {
    this.#forget(key);
    const store = this.#stores.get(key.slice(0, key.indexOf('/', key.indexOf('/') + 1) + 1));
    if (store === undefined) return;
    this.#known.set(key, { object, store });
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

function removeFinalizer(owner: Known, finalizer: string): Promise<void> {
  return amend(owner, ({ finalizers = [] }) => ({ finalizers: finalizers.filter((name) => name !== finalizer) }));
}

async function remove(store: Store, object: KubeObject, propagationPolicy: 'Foreground' | 'Background'): Promise<void> {
  const { uid = '' } = object.metadata;
  await store.delete(placeOf(object), { dryRun: false, propagationPolicy, uid }).catch(unlessGone);
}

/** It is gone, or it is another one by now. */
function unlessGone(error: unknown): void {
  if (!(error instanceof StatusError && [404, 409].includes(error.code))) throw error;
}
