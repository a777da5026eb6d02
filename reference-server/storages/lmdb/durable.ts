// Durable storage: decides writes in batches, commits each batch to a journal, then shows the batch to readers.
import type { KubeObject } from '../../schema/object.js';
import { type MemoryOptions, type MemoryState, MemoryStorage } from '../../storage/memory.js';
import { leavesLess } from '../../storage/room.js';
import {
  Entry,
  type Fence,
  KeyExists,
  type ListOptions,
  type Range,
  type Storage,
  StorageAway,
  StorageFull,
  type StorageWrite,
  type StoredChange,
  stamped,
  type Written,
} from '../../storage/storage.js';

/** Commits batches of changes, and loads the state that they add up to. */
export interface Journal {
  /** Returns the state after the last committed batch, or undefined if nothing was ever committed. */
  load(): Promise<MemoryState | undefined>;
  /**
   * Writes the changes in one transaction and forgets the history up to `oldest`. Resolves when the changes are
   * durable. Rejects with StorageFull or another error if none of the changes was written.
   */
  commit(changes: readonly StoredChange[], oldest: number): Promise<void>;
  /**
   * Commits changes that free room, on a full disk: the changes may use the reserved room, and all history is
   * forgotten.
   */
  commitLess(changes: readonly StoredChange[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * A queued write. `decide` is called with the state after all writes before this one, and again if the disk is full.
 */
interface Waiting {
  readonly key: string;
  readonly fence: Fence | undefined;
  decide(current: Entry | undefined): StorageWrite;
  resolve(written: Written): void;
  reject(error: unknown): void;
}

/** A decided write, and the entry before the write. The change 'keep' changes nothing. */
interface Decided {
  readonly waiting: Waiting;
  readonly written: Written;
  readonly before: Entry | undefined;
}

/** Reports whether a write frees room, or writes nothing. */
function keepsRoom({ written: { entry, change }, before }: Decided): boolean {
  return change === 'keep' || leavesLess({ type: change, entry, ...(before && { previous: before }) });
}

/**
 * Storage with a journal. Writes that arrive during a commit form the next batch, so one flush serves many writes.
 * Readers see a write only after it is durable: every object that was read, watched or returned survives a crash.
 */
export class DurableStorage implements Storage {
  #queue: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;

  private constructor(
    readonly journal: Journal,
    readonly memory: MemoryStorage,
  ) {}

  /** Loads the state of the journal. If the journal throws, it is closed, and the error is rethrown. */
  static async open(journal: Journal, limits: Omit<MemoryOptions, 'snapshot'> = {}): Promise<DurableStorage> {
    const snapshot = await journal.load().catch(async (error: unknown) => {
      await journal.close();
      throw error;
    });
    return new DurableStorage(journal, new MemoryStorage({ ...limits, ...(snapshot && { snapshot }) }));
  }

  revision(): Promise<number> {
    return this.memory.revision();
  }

  async create(key: string, value: KubeObject, fence?: Fence): Promise<Entry> {
    const decide = (current: Entry | undefined): StorageWrite => {
      if (current !== undefined) throw new KeyExists(key);
      return { put: value };
    };
    const { entry } = await this.#write(key, decide, fence);
    return entry;
  }

  async sync(): Promise<void> {}

  get(key: string): Promise<Entry | undefined> {
    return this.memory.get(key);
  }

  list(prefix: string, options?: ListOptions): Promise<Range> {
    return this.memory.list(prefix, options);
  }

  guaranteedUpdate(key: string, update: (current: Entry | undefined) => StorageWrite): Promise<Written> {
    return this.#write(key, update);
  }

  async delete(key: string): Promise<Entry | undefined> {
    const absent = Symbol('absent');
    try {
      const { entry } = await this.#write(key, (current) => {
        if (current === undefined) throw absent;
        return { remove: current.value };
      });
      return entry;
    } catch (error) {
      if (error === absent) return undefined;
      throw error;
    }
  }

  watch(prefix: string, after: number, signal: AbortSignal): AsyncIterable<readonly StoredChange[]> {
    return this.memory.watch(prefix, after, signal);
  }

  async compact(revision: number): Promise<void> {
    await this.memory.compact(revision);
    await this.journal.commit([], this.memory.bounds.oldest);
  }

  async probe(): Promise<void> {
    if (this.#closed) throw new StorageAway('it is closed');
    await this.journal.commit([], this.memory.bounds.oldest);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    await this.journal.close();
  }

  #write(key: string, decide: Waiting['decide'], fence?: Fence): Promise<Written> {
    if (this.#closed) return Promise.reject(new StorageAway('it is closed'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ key, fence, decide, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    // Let writes of the same turn join the first batch.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      await this.#commit(batch);
    }
    this.#draining = undefined;
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const changes: StoredChange[] = [];
    const decided = this.#decide(batch, changes);
    try {
      this.memory.requireRoom(changes);
      // The journal forgets the changes that memory has already forgotten.
      if (changes.length > 0) await this.journal.commit(changes, this.memory.bounds.oldest);
    } catch (error) {
      if (error instanceof StorageFull) await this.#commitLess(decided, error);
      else for (const { waiting } of decided) waiting.reject(error);
      return;
    }
    this.#show(changes, decided);
  }

  /** Commits those writes of a batch that free room, and rejects the others with StorageFull. */
  async #commitLess(batch: readonly Decided[], full: StorageFull): Promise<void> {
    const others = batch.filter((each) => !keepsRoom(each));
    for (const { waiting } of others) waiting.reject(full);
    const changes: StoredChange[] = [];
    const less = batch.filter((each) => !others.includes(each)).map(({ waiting }) => waiting);
    const decided = this.#decide(less, changes);
    try {
      if (changes.length > 0) await this.journal.commitLess(changes);
    } catch (error) {
      for (const { waiting } of decided) waiting.reject(error);
      return;
    }
    this.#show(changes, decided);
  }

  #show(changes: readonly StoredChange[], decided: readonly Decided[]): void {
    for (const change of changes) this.memory.apply(change);
    for (const { waiting, written } of decided) waiting.resolve(written);
  }

  /**
   * Decides each write on the state after the writes before it. A write whose decision throws is rejected and has no
   * effect.
   */
  #decide(batch: readonly Waiting[], changes: StoredChange[]): Decided[] {
    const ahead = new Map<string, Entry | undefined>();
    const stateOf = (key: string) => (ahead.has(key) ? ahead.get(key) : this.memory.peek(key));
    const decided: Decided[] = [];
    let { revision } = this.memory.bounds;
    for (const waiting of batch) {
      const { key, fence } = waiting;
      const current = stateOf(key);
      try {
        fence?.check(stateOf(fence.key));
        const write = waiting.decide(current);
        if (write === 'keep') {
          if (current === undefined) throw new Error(`nothing to keep under ${key}`);
          decided.push({ waiting, written: { entry: current, change: 'keep' }, before: current });
          continue;
        }
        const type = 'put' in write ? 'put' : 'remove';
        if (type === 'remove' && current === undefined) throw new Error(`nothing to remove under ${key}`);
        revision += 1;
        const entry = new Entry(key, revision, stamped('put' in write ? write.put : write.remove, revision));
        ahead.set(key, type === 'put' ? entry : undefined);
        changes.push({ type, entry, ...(current && { previous: current }) });
        decided.push({ waiting, written: { entry, change: type }, before: current });
      } catch (error) {
        waiting.reject(error);
      }
    }
    return decided;
  }
}
