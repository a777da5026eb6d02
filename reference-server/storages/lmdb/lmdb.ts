// The journal on lmdb: an embedded store with its binaries inside the package. An optional dependency.
import { rmSync, statfsSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { whyNot } from '../../../matrix/api/fileFailure.js';
import type { KubeObject } from '../../schema/object.js';
import type { MemoryState } from '../../storage/memory.js';
import { Entry, StorageFull, type StoredChange } from '../../storage/storage.js';
import { countOf, type Databases, endOf, freeBytesOf, openDatabases } from './databases.js';
import { claimDirectory, DataDirectoryError, type OwnDirectory, restrictToOwner } from './dataDirectory.js';
import type { Journal } from './durable.js';
import { FileRoom, hasRoom } from './fileRoom.js';
import { damaged, isMarked, mark } from './format.js';
import { problemOf } from './inspection.js';
import { BrokenRecord, decodedRecord, encodedRecord } from './record.js';
import { Reserve, spareBytes } from './reserve.js';

/** A stored entry: revision and value. */
type Kept = readonly [revision: number, value: KubeObject];

/** A stored change with the previous entry, which watches and lists of earlier revisions need. */
interface KeptChange {
  readonly type: StoredChange['type'];
  readonly key: string;
  readonly entry: Kept;
  readonly previous?: Kept;
}

interface Bounds {
  readonly revision: number;
  readonly oldest: number;
}

/**
 * Opens a data directory, and makes it if it is absent. Throws DataDirectoryError if another server uses the directory,
 * other users can read it, its store is damaged, it cannot be written, or a package is not installed.
 */
export async function openLmdb(directory: string): Promise<Journal> {
  const lmdb = await import('lmdb').catch((error: Error) => {
    throw new DataDirectoryError(
      `lmdb is not there (${error.message}): npm install lmdb fs-native-extensions, or run without a data directory`,
    );
  });
  let own: OwnDirectory | undefined;
  try {
    own = claimDirectory(directory);
    const [store, format] = [join(own.path, 'store'), join(own.path, 'format')];
    const marked = isMarked(format, directory);
    const reserve = new Reserve(join(own.path, 'reserve'));
    // lmdb maps the files that it makes: without room for these files, the process would end.
    reserve.release();
    await requireWhole(store, marked, directory);
    if (!marked) requireRoom(own.path, directory);
    restrictToOwner(store);
    const journal = new LmdbJournal(own, openDatabases(lmdb, store), reserve, new FileRoom(join(store, 'data.mdb')));
    restrictToOwner(store);
    await journal.begin();
    if (!marked) mark(format);
    return journal;
  } catch (error) {
    own?.release();
    if (error instanceof DataDirectoryError) throw error;
    throw new DataDirectoryError(`${directory} cannot be used: ${whyNot(error)}`);
  }
}

/** The bytes that a new store needs: those of its first objects, with the room that is kept for their commits. */
const firstBytes = 4 * 1024 * 1024;

/** Throws DataDirectoryError if the disk has no room for a new store. */
function requireRoom(path: string, directory: string): void {
  if (hasRoom(join(path, 'probe'), firstBytes)) return;
  const size = `${firstBytes / 1024 / 1024} MiB`;
  throw new DataDirectoryError(
    `the disk of ${directory} is full, and a new store needs ${size}: free room, or take another directory`,
  );
}

/** Inspects the store before lmdb maps it into this process. A marked store must exist and have records. */
async function requireWhole(store: string, marked: boolean, directory: string): Promise<void> {
  const file = join(store, 'data.mdb');
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (!marked && !size) return;
  if (size === undefined) throw new DataDirectoryError(damaged(directory, 'its file "store/data.mdb" is gone'));
  // Only this server uses the store, so the lock table of an earlier server is not needed; it may be damaged too.
  rmSync(join(store, 'lock.mdb'), { force: true });
  const problem = size === 0 ? 'its file "store/data.mdb" is empty' : await problemOf(store);
  if (problem !== undefined) throw new DataDirectoryError(damaged(directory, problem));
}

/** The most bytes of trees that a commit rewrites, in all and for each change. */
const [treeBytes, treeBytesOfChange] = [64 * 1024, 32 * 1024];
/** The most bytes that the file grows beyond a need: on the disk, and in the room of the reserve. */
const [moreOfDisk, moreOfReserve] = [1024 * 1024, 256 * 1024];

class LmdbJournal implements Journal {
  /** The newest revision of the history that commitLess forgot; memory may still have this history. */
  #forgotten = 0;
  /** The highest offset in bytes that the pages of the store can have reached. */
  #end = Number.POSITIVE_INFINITY;
  /** The end of the last commit that was requested: commits run one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    readonly own: OwnDirectory,
    readonly databases: Databases,
    readonly reserve: Reserve,
    readonly room: FileRoom,
  ) {}

  /** Writes the bounds of a new store. */
  async begin(): Promise<void> {
    const { meta } = this.databases;
    this.reserve.renew(this.own.path);
    if (meta.get('bounds') !== undefined) return;
    await meta.put('bounds', encodedRecord({ revision: 1, oldest: 1 } satisfies Bounds));
    await meta.flushed;
  }

  async load(): Promise<MemoryState | undefined> {
    try {
      return this.#read();
    } catch (error) {
      throw new DataDirectoryError(damaged(this.own.path, error instanceof Error ? error.message : String(error)));
    }
  }

  commit(changes: readonly StoredChange[], oldest: number): Promise<void> {
    return this.#inTurn(() => this.#commit(changes, oldest));
  }

  commitLess(changes: readonly StoredChange[]): Promise<void> {
    return this.#inTurn(async () => {
      this.reserve.release();
      const newest = changes.at(-1)?.entry.revision ?? this.#bounds().revision;
      await this.#commit(changes, newest, moreOfReserve);
      this.#forgotten = newest;
    });
  }

  async close(): Promise<void> {
    await this.#turn;
    const end = endOf(this.databases);
    try {
      await this.databases.root.close();
      this.room.cut(end);
    } finally {
      this.own.release();
    }
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #commit(changes: readonly StoredChange[], oldest: number, more = moreOfDisk): Promise<void> {
    const last = Math.max(oldest, this.#forgotten);
    if (!this.#hasRoom(changes, last, more)) throw new StorageFull();
    try {
      await this.databases.root.transaction(() => this.#write(changes, last));
    } catch (error) {
      throw (await this.#isFull(error, changes)) ? new StorageFull() : error;
    }
    this.reserve.renew(this.own.path);
  }

  /** Reports whether the file has room for the changes, behind its pages or, on a full disk, in pages that are free. */
  #hasRoom(changes: readonly StoredChange[], oldest: number, more: number): boolean {
    const logged = changes.filter(({ entry }) => entry.revision > oldest);
    const needed = bytesOf(changes, logged) + treeBytes + treeBytesOfChange * changes.length;
    this.#end += needed;
    if (this.room.reaches(this.#end)) return true;
    this.#end = endOf(this.databases) + needed;
    // Values need pages in a row, and the pages that the last commits freed are not free yet.
    return this.room.reaches(this.#end) || this.room.make(this.#end, more) || freeBytesOf(this.databases) > 2 * needed;
  }

  #read(): MemoryState {
    const { objects, log, meta } = this.databases;
    const bounds = this.#bounds();
    const entries: Entry[] = [];
    for (const { key, value } of objects.getRange())
      entries.push(entryOf(key, decodedRecord<Kept>(value, `object ${key}`)));
    const changes: KeptChange[] = [];
    for (const { key, value } of log.getRange({ start: bounds.oldest + 1 })) {
      if (key !== bounds.oldest + changes.length + 1) throw new BrokenRecord(`change ${key} is not where it belongs`);
      changes.push(decodedRecord<KeptChange>(value, `change ${key}`));
    }
    if (entries.length !== countOf(objects)) throw new BrokenRecord('the list of objects is broken');
    if (bounds.oldest + changes.length !== bounds.revision) throw new BrokenRecord('the list of changes is broken');
    if (countOf(meta) !== 1) throw new BrokenRecord('the list of bounds is broken');
    return { ...bounds, entries, log: logOf(changes, entries) };
  }

  #write(changes: readonly StoredChange[], oldest: number): void {
    const { objects, log, meta } = this.databases;
    const revision = changes.at(-1)?.entry.revision ?? this.#bounds().revision;
    if (revision === oldest) log.clearSync();
    for (const { type, entry, previous } of changes) {
      const kept: Kept = [entry.revision, entry.value];
      if (type === 'put') objects.putSync(entry.key, encodedRecord(kept));
      else objects.removeSync(entry.key);
      if (entry.revision <= oldest) continue;
      const before: Kept | undefined = previous && [previous.revision, previous.value];
      const change: KeptChange = { type, key: entry.key, entry: kept, ...(before && { previous: before }) };
      log.putSync(entry.revision, encodedRecord(change));
    }
    for (const revision of [...log.getKeys({ end: oldest + 1 })]) log.removeSync(revision);
    meta.putSync('bounds', encodedRecord({ revision, oldest } satisfies Bounds));
  }

  /** Reports whether a commit failed for lack of room. After a partial write, lmdb fails with EIO. */
  async #isFull(error: unknown, changes: readonly StoredChange[]): Promise<boolean> {
    const { commitError } = error as { readonly commitError?: Promise<never> };
    const cause: unknown = await (commitError ?? Promise.reject(error)).catch((reason: unknown) => reason);
    const { message, code } = cause as { readonly message: string; readonly code?: unknown };
    if (/No space left|MDB_MAP_FULL|MDB_TXN_FULL|quota/i.test(message)) return true;
    const needed = bytesOf(changes, changes);
    const { bavail, bsize } = statfsSync(this.own.path);
    return code === constants.errno.EIO && bavail * bsize < needed + spareBytes;
  }

  #bounds(): Bounds {
    const text = this.databases.meta.get('bounds');
    if (text === undefined) throw new BrokenRecord('its bounds are gone');
    return decodedRecord<Bounds>(text, 'the record of its bounds');
  }
}

/** Returns the bytes of the values that a commit writes, some of them into the log too. */
function bytesOf(changes: readonly StoredChange[], logged: readonly StoredChange[]): number {
  const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
  const values = changes.map(({ type, entry }) => (type === 'put' ? entry.size : 0));
  return sum(values) + sum(logged.map(({ entry, previous }) => entry.size + (previous?.size ?? 0)));
}

function entryOf(key: string, [revision, value]: Kept): Entry {
  return Entry.ofStored(key, revision, value, true);
}

/** Rebuilds the changes. Changes with the same state of an object share one entry. */
function logOf(changes: Iterable<KeptChange>, current: readonly Entry[]): StoredChange[] {
  const known = new Map(current.map((entry) => [entry.revision, entry]));
  const shared = (key: string, kept: Kept): Entry => {
    const entry = known.get(kept[0]) ?? entryOf(key, kept);
    known.set(entry.revision, entry);
    return entry;
  };
  return Array.from(changes, ({ type, key, entry, previous }) => ({
    type,
    entry: shared(key, entry),
    ...(previous && { previous: shared(key, previous) }),
  }));
}
