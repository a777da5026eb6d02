// The storage of a version whose objects are stored in another one: what is read and written is converted on the way.
import type { KubeObject } from '../../schema/object.js';
import {
  Entry,
  type ListOptions,
  type Range,
  type Storage,
  type StorageWrite,
  type StoredChange,
  type Written,
} from '../../storage/storage.js';

/** How a version and the storage version become each other. */
export interface Versions {
  /** The prefix of the keys of the objects. Other keys are of other objects. */
  readonly prefix: string;
  /** The apiVersion of what is stored. */
  readonly stored: string;
  /** Converts objects of any version to the version of this storage. */
  fromStored(objects: readonly KubeObject[]): Promise<readonly KubeObject[]>;
  toStored(object: KubeObject): Promise<KubeObject>;
}

/** The object changed between its conversion and its write. */
class Changed extends Error {}

/** Returns a storage with the objects of a version. What does not need a conversion is not converted. */
export function convertingStorage(base: Storage, versions: Versions): Storage {
  const { prefix, stored } = versions;
  /** The events of a change are converted once, however many watches there are. */
  const seen = new WeakMap<Entry, Promise<Entry>>();
  const isOwn = (key: string): boolean => key.startsWith(prefix);

  const entriesOf = async (entries: readonly Entry[]): Promise<readonly Entry[]> => {
    const objects = await versions.fromStored(entries.map(({ value }) => value));
    return entries.map((entry, index) => {
      const made = new Entry(entry.key, entry.revision, objects[index] ?? entry.value);
      made.isStale = entry.value.apiVersion !== stored;
      return made;
    });
  };
  const entryOf = async (entry: Entry): Promise<Entry> => (await entriesOf([entry]))[0] ?? entry;
  const seenEntry = (entry: Entry): Promise<Entry> => {
    const known = seen.get(entry);
    if (known !== undefined) return known;
    const made = entryOf(entry);
    seen.set(entry, made);
    // The next watch asks again.
    made.catch(() => seen.delete(entry));
    return made;
  };
  const changeOf = async (change: StoredChange): Promise<StoredChange> => {
    if (!isOwn(change.entry.key)) return change;
    const previous = change.previous && (await seenEntry(change.previous));
    return { type: change.type, entry: await seenEntry(change.entry), ...(previous && { previous }) };
  };
  const storedWrite = async (write: StorageWrite): Promise<StorageWrite> => {
    if (write === 'keep') return write;
    return 'put' in write
      ? { put: await versions.toStored(write.put) }
      : { remove: await versions.toStored(write.remove) };
  };

  /** Writes what an update makes of the converted object. Throws Changed. */
  const updated = async (key: string, update: (current: Entry | undefined) => StorageWrite): Promise<Written> => {
    const before = await base.get(key);
    const current = before && (await entryOf(before));
    const write = update(current);
    if (write === 'keep') {
      if (current === undefined) throw new Error(`nothing to keep under ${key}`);
      return { entry: current, change: 'keep' };
    }
    const converted = await storedWrite(write);
    const written = await base.guaranteedUpdate(key, (now) => {
      if (now?.revision !== before?.revision) throw new Changed();
      return converted;
    });
    return { ...written, entry: await entryOf(written.entry) };
  };

  return {
    revision: () => base.revision(),
    sync: () => base.sync(),
    async create(key, value, fence) {
      if (!isOwn(key)) return base.create(key, value, fence);
      return entryOf(await base.create(key, await versions.toStored(value), fence));
    },
    async get(key) {
      const entry = await base.get(key);
      return entry === undefined || !isOwn(key) ? entry : entryOf(entry);
    },
    async list(of: string, options?: ListOptions): Promise<Range> {
      const range = await base.list(of, options);
      return isOwn(of) ? { ...range, entries: await entriesOf(range.entries) } : range;
    },
    async guaranteedUpdate(key, update) {
      if (!isOwn(key)) return base.guaranteedUpdate(key, update);
      for (;;) {
        try {
          return await updated(key, update);
        } catch (error) {
          if (!(error instanceof Changed)) throw error;
        }
      }
    },
    async delete(key) {
      const entry = await base.delete(key);
      return entry === undefined || !isOwn(key) ? entry : entryOf(entry);
    },
    async *watch(of, after, signal) {
      for await (const changes of base.watch(of, after, signal)) yield await Promise.all(changes.map(changeOf));
    },
    compact: (revision) => base.compact(revision),
    probe: () => base.probe(),
    close: () => base.close(),
  };
}
