// The garbage collector: deletes dependents before or after their last owner, or orphans them.
import { setImmediate } from 'node:timers/promises';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { backOffMillis } from '../clock.js';
import type { Propagation } from '../registry/deletion.js';
import type { Store } from '../registry/store.js';
import { type KubeObject, withOwners, withoutFinalizer } from '../schema/object.js';
import { unless } from '../statusError.js';
import type { Storage } from '../storage/storage.js';
import { keyOf, storageResource } from '../versions/addresses.js';
import { hasReplace, type ServedResources } from '../versions/servedResources.js';
import { keepRunning, type Running } from './controller.js';
import type { Note } from './events.js';
import { WorkQueue } from './later.js';
import { noteStrangers } from './strangeOwners.js';

/** For a `catch`: the object is gone or has changed. */
const unlessMoved = unless(404, 409);

const collectorName = 'garbage-collector';
const orphan = 'orphan';
const foreground = 'foregroundDeletion';

/** The collector reads all objects, not only those of one resource. */
interface CollectorRunning extends Running {
  readonly storage: Pick<Storage, 'list' | 'watch'>;
  readonly served: Pick<ServedResources, 'find' | 'ofKind'>;
  /** Says what is wrong with an object; absent on servers of an age that said nothing. */
  readonly note?: Note;
}

/** Runs the collector until the signal aborts. */
export async function garbageCollector(running: CollectorRunning): Promise<void> {
  const { storage, signal } = running;
  const collector = new Collector(running);
  const loop = async (works: () => void): Promise<void> => {
    const revision = await collector.readAll();
    works();
    for await (const changes of storage.watch('', revision, signal)) {
      for (const { type, entry } of changes) {
        const work = collector.see(entry.key, entry.value, type === 'remove');
        if (work !== undefined) await work;
      }
    }
  };
  await keepRunning(collectorName, loop, running);
  await collector.retries.ended();
}

type MetadataField =
  | 'namespace'
  | 'name'
  | 'uid'
  | 'resourceVersion'
  | 'ownerReferences'
  | 'deletionTimestamp'
  | 'finalizers';

/** The metadata that the collector reads. */
type Metadata = { readonly [field in MetadataField]?: KubeObject['metadata'][field] | undefined };

/** An object that has owners, or that is being deleted. */
interface Known {
  readonly key: string;
  readonly metadata: Metadata;
  readonly store: Store;
}

class Collector {
  /** Keys of all objects, by uid. Of most objects the collector needs no more. */
  readonly #keys = new Map<string, string>();
  /** Dependents and objects that are being deleted, by key. */
  readonly #known = new Map<string, Known>();
  /** Keys of dependents, by the uid of the owner. */
  readonly #dependents = new Map<string, Set<string>>();
  readonly #storage: Pick<Storage, 'list'>;

  /** Retries of failed work. */
  readonly retries: WorkQueue;

  constructor(readonly running: CollectorRunning) {
    const { storage, signal, clock, activity } = running;
    this.retries = new WorkQueue(signal, clock, activity);
    this.#storage = storage;
  }

  /** Returns the store that has the object of a key; undefined if the server does not serve its resource. */
  #storeOf(key: string): Store | undefined {
    const stored = this.running.served.find(key.slice(0, key.indexOf('/', key.indexOf('/') + 1)));
    return stored && hasReplace(stored) ? this.running.registry.of(stored) : undefined;
  }

  /** Reads and checks all objects. Returns the revision of the list. */
  async readAll(): Promise<number> {
    this.#known.clear();
    this.#keys.clear();
    this.#dependents.clear();
    const { entries, revision } = await this.#storage.list('');
    for (const { key, value } of entries) this.#remember(key, value);
    // Finds objects that lost their owner while the server was down.
    for (const { key } of entries) {
      await this.#noteStrangers(key, []);
      await this.#look(key);
    }
    return revision;
  }

  /** Records a change and does the work that it requires, if any. */
  see(key: string, object: KubeObject, removed: boolean): Promise<void> | undefined {
    const { uid = '', deletionTimestamp, ownerReferences = [] } = object.metadata;
    const lastOwners = this.#known.get(key)?.metadata.ownerReferences ?? [];
    if (removed) this.#forget(key, uid);
    else this.#remember(key, object);
    if (!removed && deletionTimestamp === undefined && ownerReferences.length + lastOwners.length === 0) return;
    return this.#handleChange(key, object, removed, lastOwners);
  }

  async #handleChange(
    key: string,
    object: KubeObject,
    removed: boolean,
    lastOwners: readonly ObjectOf<'OwnerReference'>[],
  ): Promise<void> {
    if (!removed) {
      await this.#noteStrangers(key, lastOwners);
      await this.#look(key);
    } else for (const { key: dependent } of this.#dependentsOf(object.metadata)) await this.#look(dependent);
    // An owner that waits for this dependent may proceed if the dependent no longer blocks or is gone.
    for (const { uid } of lastOwners) {
      const owner = this.#keys.get(uid);
      if (owner !== undefined) await this.#look(owner);
    }
  }

  /** Says which new owners of an object are in another namespace, where no object can own it. */
  async #noteStrangers(key: string, before: readonly ObjectOf<'OwnerReference'>[]): Promise<void> {
    const { note } = this.running;
    const known = this.#known.get(key);
    if (note !== undefined && known !== undefined) {
      await noteStrangers(known, before, (uid) => this.#keys.get(uid), note);
    }
  }

  /** Handles an object, as an owner that is being deleted or as a dependent. A failure is reported and retried. */
  async #look(key: string, failures = 0): Promise<void> {
    const { report, health } = this.running;
    const what = `${collectorName} ${key}`;
    // Other requests come between two objects: writes to memory alone wait for nothing.
    await setImmediate();
    try {
      await this.#handle(key);
      health.works(what);
    } catch (error) {
      report(error);
      health.failed(what, error);
      const next = failures + 1;
      this.retries.doLater(key, backOffMillis(next), () => this.#look(key, next));
    }
  }

  async #handle(key: string): Promise<void> {
    const known = this.#known.get(key);
    if (known === undefined) return;
    const { deletionTimestamp, finalizers = [] } = known.metadata;
    if (deletionTimestamp === undefined) await this.#collect(known);
    else if (finalizers.includes(orphan)) await this.#orphan(known);
    else if (finalizers.includes(foreground)) await this.#deleteFirst(known);
  }

  /** Orphans the dependents: removes their reference to the owner. */
  async #orphan(owner: Known): Promise<void> {
    const { uid } = owner.metadata;
    for (const dependent of this.#dependentsOf(owner.metadata)) await disown(dependent, (of) => of.uid === uid);
    await removeFinalizer(owner, orphan);
  }

  /** Deletes the dependents of an owner, which waits for those that block it. */
  async #deleteFirst(owner: Known): Promise<void> {
    const { uid } = owner.metadata;
    const dependents = this.#dependentsOf(owner.metadata);
    for (const dependent of dependents) {
      if (dependent.metadata.deletionTimestamp === undefined) await this.#collect(dependent);
    }
    const isBlocked = dependents.some(({ metadata }) =>
      metadata.ownerReferences?.some((of) => of.uid === uid && of.blockOwnerDeletion),
    );
    if (!isBlocked) await removeFinalizer(owner, foreground);
  }

  /**
   * Deletes a dependent if each of its owners is gone or waits for its dependents. If another owner keeps the
   * dependent, only the references to the other owners are removed.
   */
  async #collect(dependent: Known): Promise<void> {
    const { metadata } = dependent;
    const { ownerReferences = [], finalizers = [] } = metadata;
    if (ownerReferences.length === 0) return;
    const states = new Map(ownerReferences.map((of) => [of, this.#stateOf(of, metadata)]));
    const left = ownerReferences.filter((of) => states.get(of) !== 'keeps');
    if (left.length === 0) return;
    const uids = new Set(left.map(({ uid }) => uid));
    if (left.length < ownerReferences.length) return disown(dependent, (of) => uids.has(of.uid));
    const waits = left.some((of) => states.get(of) === 'waits');
    const further = waits ? this.#dependentsOf(metadata) : [];
    // In a circle, each object waits for the next one: this one no longer blocks its owners.
    if (further.some(waitsForDependents) && ownerReferences.some((of) => of.blockOwnerDeletion))
      return unblock(dependent);
    if (further.length > 0) return remove(dependent, 'Foreground');
    const own = finalizers.includes(orphan) ? 'Orphan' : finalizers.includes(foreground) ? 'Foreground' : 'Background';
    return remove(dependent, own);
  }

  /** The state of an owner. Owners of kinds that this server does not serve are assumed to keep their dependents. */
  #stateOf(
    { apiVersion, kind, name, uid }: ObjectOf<'OwnerReference'>,
    dependent: Metadata,
  ): 'keeps' | 'waits' | 'gone' {
    const served = this.running.served.ofKind(apiVersion, kind);
    if (served === undefined || (served.namespaced && dependent.namespace === undefined)) return 'keeps';
    const key = this.#keys.get(uid);
    if (key !== keyOf(storageResource(served), dependent.namespace, name)) return 'gone';
    const owner = this.#known.get(key);
    return owner !== undefined && waitsForDependents(owner) ? 'waits' : 'keeps';
  }

  #dependentsOf({ uid = '' }: Metadata): Known[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((key) => this.#known.get(key) ?? []);
  }

  #remember(key: string, { metadata: fields }: KubeObject): void {
    const { namespace, name, uid = '', resourceVersion, ownerReferences = [], deletionTimestamp, finalizers } = fields;
    this.#forget(key, uid);
    const store = this.#storeOf(key);
    if (store === undefined) return;
    this.#keys.set(uid, key);
    if (ownerReferences.length === 0 && deletionTimestamp === undefined) return;
    const metadata = { namespace, name, uid, resourceVersion, ownerReferences, deletionTimestamp, finalizers };
    this.#known.set(key, { key, metadata, store });
    for (const owner of ownerReferences) {
      const keys = this.#dependents.get(owner.uid) ?? new Set();
      this.#dependents.set(owner.uid, keys.add(key));
    }
  }

  #forget(key: string, uid: string): void {
    this.#keys.delete(uid);
    const { ownerReferences = [] } = this.#known.get(key)?.metadata ?? {};
    this.#known.delete(key);
    for (const owner of ownerReferences) {
      const keys = this.#dependents.get(owner.uid);
      keys?.delete(key);
      if (keys?.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}

const objectKeyOf = ({ metadata: { namespace, name = '' } }: Known) => ({ namespace, name });

async function update(known: Known, change: (current: KubeObject) => KubeObject): Promise<void> {
  await known.store.updateInternally(objectKeyOf(known), change).catch(unlessMoved);
}

/** Reports whether an object is deleted after its dependents. */
const waitsForDependents = ({ metadata: { deletionTimestamp, finalizers = [] } }: Known): boolean =>
  deletionTimestamp !== undefined && finalizers.includes(foreground);

const unblock = (dependent: Known): Promise<void> =>
  update(dependent, (current) =>
    withOwners(current, (owners) => owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }))),
  );

/** Removes the matching owner references of an object. */
const disown = (dependent: Known, match: (owner: ObjectOf<'OwnerReference'>) => boolean): Promise<void> =>
  update(dependent, (current) => withOwners(current, (owners) => owners.filter((owner) => !match(owner))));

const removeFinalizer = (owner: Known, finalizer: string): Promise<void> =>
  update(owner, (current) => withoutFinalizer(current, finalizer));

/** Deletes an object in the state that was seen. If it has changed, the collector handles the change. */
async function remove(known: Known, propagationPolicy: Propagation): Promise<void> {
  const { uid = '', resourceVersion = '' } = known.metadata;
  await known.store
    .delete(objectKeyOf(known), { dryRun: false, propagationPolicy, uid, resourceVersion })
    .catch(unlessMoved);
}
