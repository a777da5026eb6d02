// Snapshots of all objects, and the way back to them.
import { inspect } from 'node:util';
import { OptionError } from '../../optionValues.js';
import { equal, type KubeObject } from '../../schema/object.js';
import type { Entry, Storage } from '../../storage/storage.js';
import { ownersFirst } from './ownersFirst.js';
import type { Snapshot } from './surface.js';

/** The value of a key, and the revision at which the storage had it last. */
interface Remembered {
  readonly value: KubeObject;
  revision: number;
}

/** All objects at one moment. */
export class ObjectSnapshot implements Snapshot {
  readonly #objects: ReadonlyMap<string, Remembered>;
  readonly #storage: Storage;

  private constructor(storage: Storage, objects: ReadonlyMap<string, Remembered>) {
    this.#storage = storage;
    this.#objects = objects;
  }

  static async take(storage: Storage): Promise<ObjectSnapshot> {
    const { entries } = await storage.list('');
    return new ObjectSnapshot(
      storage,
      new Map(entries.map(({ key, value, revision }) => [key, { value, revision }] as const)),
    );
  }

  /** What `console.log` shows. */
  [inspect.custom](): string {
    return `Snapshot { size: ${this.size} }`;
  }

  /** Throws an OptionError: a snapshot is an object of its server. */
  toJSON(): never {
    throw new OptionError('a snapshot has no JSON: it is for restore of the same server; keep objects, for load');
  }

  get size(): number {
    return this.#objects.size;
  }

  isOf(storage: Storage): boolean {
    return this.#storage === storage;
  }

  /** Writes the differences. In memory, no other write comes between them. */
  async restore(): Promise<void> {
    const storage = this.#storage;
    const { entries } = await storage.list('');
    const writes: Promise<unknown>[] = [];
    const there = new Map<string, Entry>();
    for (const entry of entries) {
      const before = this.#objects.get(entry.key);
      // Another object of the same name is removed first, so that watches see the end of its uid.
      if (before === undefined || before.value.metadata.uid !== entry.value.metadata.uid) {
        writes.push(storage.delete(entry.key));
      } else there.set(entry.key, entry);
    }
    const changed: (readonly [key: string, before: Remembered])[] = [];
    for (const [key, before] of this.#objects) {
      const entry = there.get(key);
      if (entry?.revision === before.revision) continue;
      if (entry !== undefined && same(entry.value, before.value)) before.revision = entry.revision;
      else changed.push([key, before]);
    }
    for (const [key, before] of ownersFirst(changed, ([, { value }]) => value.metadata))
      writes.push(this.#put(key, before));
    await Promise.all(writes);
  }

  async #put(key: string, remembered: Remembered): Promise<void> {
    const { entry } = await this.#storage.guaranteedUpdate(key, () => ({ put: remembered.value }));
    remembered.revision = entry.revision;
  }
}

/** Reports whether two objects differ only in their resourceVersion. */
function same(one: KubeObject, other: KubeObject): boolean {
  const { resourceVersion } = one.metadata;
  return equal(one, { ...other, metadata: { ...other.metadata, ...(resourceVersion && { resourceVersion }) } });
}
