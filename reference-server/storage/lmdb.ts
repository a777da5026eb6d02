// The journal on lmdb: an embedded store whose binaries come inside its package. An optional dependency.
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import type { ApiObject } from '../codecs/codec.js';
import type { Journal } from './journal.js';
import type { Snapshot } from './memory.js';
import { type Change, Entry, StorageFull } from './storage.js';

/** An entry as it is kept: revision and value, as JSON text. */
type Kept = readonly [revision: number, value: ApiObject];

/** A change as it is kept, with what was there before, so that watches that look back see transitions. */
interface KeptChange {
  readonly type: Change['type'];
  readonly key: string;
  readonly entry: Kept;
  readonly previous?: Kept;
}

/** A data directory cannot be used; the message says what to do. */
export class DataDirectoryError extends Error {}

/**
 * Opens a data directory, which is made if it is not there. Throws DataDirectoryError where another server uses it, it
 * cannot be written, or lmdb is not installed.
 */
export async function openLmdb(directory: string): Promise<Journal> {
  const { open } = await import('lmdb').catch((error: Error) => {
    throw new DataDirectoryError(
      `lmdb is not there (${error.message}): npm install lmdb, or run without a data directory`,
    );
  });
  try {
    makeDirectory(resolve(directory));
    claim(directory);
    return new LmdbJournal(directory, open({ path: join(directory, 'store'), ...settings }));
  } catch (error) {
    if (error instanceof DataDirectoryError) throw error;
    throw new DataDirectoryError(
      `${directory} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const settings = {
  encoding: 'string',
  maxDbs: 3,
  /** A commit is durable when it is answered. */
  overlappingSync: false,
  /** Batches are made above; those of lmdb have a promise that nobody handles when a commit fails. */
  eventTurnBatching: false,
} as const;

/** Makes a directory and those above it. (Node's own `recursive` never ends below /proc.) */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
}

/** Makes this process the only one on the directory. A claim of a process that is gone does not count. */
function claim(directory: string): void {
  const file = join(directory, 'server.pid');
  const pid = Number(read(file));
  if (pid > 0 && pid !== process.pid && isAlive(pid)) {
    throw new DataDirectoryError(`${directory} is used by process ${pid}: stop it, or take another directory`);
  }
  writeFileSync(file, String(process.pid), { mode: 0o600 });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

class LmdbJournal implements Journal {
  readonly #objects: Database<string, string>;
  readonly #log: Database<string, number>;
  readonly #meta: Database<string, string>;

  constructor(
    readonly directory: string,
    readonly root: RootDatabase,
  ) {
    this.#objects = root.openDB<string, string>({ name: 'objects', encoding: 'string' });
    this.#log = root.openDB<string, number>({ name: 'log', encoding: 'string', keyEncoding: 'ordered-binary' });
    this.#meta = root.openDB<string, string>({ name: 'meta', encoding: 'string' });
  }

  async load(): Promise<Snapshot | undefined> {
    const meta = this.#meta.get('bounds');
    if (meta === undefined) return undefined;
    const bounds = JSON.parse(meta) as { readonly revision: number; readonly oldest: number };
    const entries: Entry[] = [];
    for (const { key, value } of this.#objects.getRange()) entries.push(entryOf(key, JSON.parse(value) as Kept));
    const changes = this.#log
      .getRange({ start: bounds.oldest + 1 })
      .map(({ value }) => JSON.parse(value) as KeptChange);
    return { ...bounds, entries, log: logOf(changes, entries) };
  }

  async commit(changes: readonly Change[], oldest: number): Promise<void> {
    try {
      await this.root.transaction(() => this.#write(changes, oldest));
    } catch (error) {
      throw (await this.#isFull(error, changes)) ? new StorageFull() : error;
    }
  }

  async close(): Promise<void> {
    await this.root.close();
    rmSync(join(this.directory, 'server.pid'), { force: true });
  }

  #write(changes: readonly Change[], oldest: number): void {
    for (const { type, entry, previous } of changes) {
      const kept: Kept = [entry.revision, entry.value];
      if (type === 'put') this.#objects.putSync(entry.key, JSON.stringify(kept));
      else this.#objects.removeSync(entry.key);
      const before: Kept | undefined = previous && [previous.revision, previous.value];
      const change: KeptChange = { type, key: entry.key, entry: kept, ...(before && { previous: before }) };
      this.#log.putSync(entry.revision, JSON.stringify(change));
    }
    for (const revision of [...this.#log.getKeys({ end: oldest + 1 })]) this.#log.removeSync(revision);
    const revision = changes.at(-1)?.entry.revision ?? this.#revision();
    this.#meta.putSync('bounds', JSON.stringify({ revision, oldest }));
  }

  /** Whether a commit has failed for want of room. The reason of lmdb for a write that was cut short is EIO. */
  async #isFull(error: unknown, changes: readonly Change[]): Promise<boolean> {
    const { commitError } = error as { readonly commitError?: Promise<never> };
    const cause: unknown = await (commitError ?? Promise.reject(error)).catch((reason: unknown) => reason);
    const { message, code } = cause as { readonly message: string; readonly code?: unknown };
    if (/No space left|MDB_MAP_FULL|MDB_TXN_FULL|quota/i.test(message)) return true;
    const needed = changes.reduce((sum, { entry, previous }) => sum + 2 * entry.size + (previous?.size ?? 0), 0);
    const { bavail, bsize } = statfsSync(this.directory);
    return code === constants.errno.EIO && bavail * bsize < needed + spareBytes;
  }

  #revision(): number {
    const meta = this.#meta.get('bounds');
    return meta === undefined ? 1 : (JSON.parse(meta) as { readonly revision: number }).revision;
  }
}

function entryOf(key: string, [revision, value]: Kept): Entry {
  return new Entry(key, revision, value);
}

/** The changes as they were: those that are about the same state of an object share it. */
function logOf(changes: Iterable<KeptChange>, current: readonly Entry[]): Change[] {
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

/** What a commit needs beside its values, at most: pages of the trees. */
const spareBytes = 1024 * 1024;
