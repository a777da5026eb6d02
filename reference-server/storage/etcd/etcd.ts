// Storage on etcd: transactions on the revisions that were read, and reads from memory, which follows etcd.
import type { KubeObject } from '../../schema/object.js';
import type { HistoryLimits } from '../history.js';
import { MemoryStorage } from '../memory.js';
import {
  type Change,
  Entry,
  type Fence,
  KeyExists,
  type ListOptions,
  type Range,
  type Storage,
  stamped,
  type Write,
  type Written,
} from '../storage.js';
import { EtcdClient, RevisionCompacted } from './client.js';
import { compactRegularly } from './compactor.js';
import { Election } from './election.js';
import type { Endpoints } from './endpoints.js';
import { Feed } from './feed.js';
import { Keys } from './keys.js';
import { methods, numberOf, type RequestOp } from './messages.js';
import { readEarlierState } from './state.js';

/** How long a call waits until this server knows a revision that etcd has, in milliseconds. */
const reachMillis = 10_000;
/** How long a health check waits for etcd, in milliseconds. */
const probeMillis = 1_000;
/** The number of revisions before the newest one whose changes a new server reads. */
const historyAtStart = 5_000;

/** Limits of the history in memory, and how often etcd forgets old revisions, in milliseconds; 0, the default, is never. */
export interface EtcdLimits extends HistoryLimits {
  readonly compactionInterval?: number;
}

/** A write that was decided on the entries that this server knew. */
interface Decided {
  readonly key: string;
  /** The entry on which the write was decided. */
  readonly current: Entry | undefined;
  readonly write: Exclude<Write, 'keep'>;
  /** Another entry on which the decision depends. */
  readonly beside?: { readonly key: string; readonly entry: Entry | undefined };
}

/**
 * Storage that many servers share. Each server has all objects in memory and follows the changes in etcd; a write is
 * decided in memory and is a transaction on the revisions of the entries that it was decided on. `sync` makes reads
 * linearizable. A write is sent again while etcd does not respond: its conditions let it happen only once.
 */
export class EtcdStorage implements Storage {
  /** The choice of the server whose controllers run. */
  readonly leadership: Election;
  readonly #feed: Feed;
  readonly #stop = new AbortController();
  readonly #background: Promise<unknown>;
  #closed = false;
  /** The read of the newest revision that is under way, and the one after it. */
  #reading: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** The end of the last write of each key that is under way. */
  readonly #turns = new Map<string, Promise<unknown>>();

  private constructor(
    readonly client: EtcdClient,
    readonly keys: Keys,
    readonly memory: MemoryStorage,
    compactionInterval: number,
  ) {
    const { signal } = this.#stop;
    this.#feed = new Feed(client, keys, memory);
    this.leadership = new Election(client, keys.other('leader'));
    const compacting = compactionInterval > 0 ? compactRegularly(client, keys, compactionInterval, signal) : undefined;
    this.#background = Promise.all([this.#feed.run(signal), compacting]);
  }

  /** Connects, and reads the state. Throws StorageAway if etcd does not respond, and OptionError without the package. */
  static async open(
    endpoints: Endpoints,
    { compactionInterval = 0, ...limits }: EtcdLimits = {},
  ): Promise<EtcdStorage> {
    const client = await EtcdClient.load(endpoints);
    const keys = new Keys(endpoints.prefix);
    try {
      const snapshot = await readEarlierState(client, keys, limits.history ?? historyAtStart);
      const storage = new EtcdStorage(client, keys, new MemoryStorage({ ...limits, snapshot }), compactionInterval);
      await storage.sync();
      return storage;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  revision(): Promise<number> {
    return this.memory.revision();
  }

  /** Calls that come while a read of the newest revision is under way share the next one. */
  sync(): Promise<void> {
    if (this.#reading === undefined) {
      this.#reading = this.#readHead().finally(() => {
        this.#reading = undefined;
      });
      return this.#reading;
    }
    this.#next ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.sync();
      });
    return this.#next;
  }

  get(key: string): Promise<Entry | undefined> {
    return this.memory.get(key);
  }

  list(prefix: string, options?: ListOptions): Promise<Range> {
    return this.memory.list(prefix, options);
  }

  async create(key: string, value: KubeObject, fence?: Fence): Promise<Entry> {
    const decide = (current: Entry | undefined): Write => {
      if (current !== undefined) throw new KeyExists(key);
      return { put: value };
    };
    return (await this.#write(key, decide, fence)).entry;
  }

  guaranteedUpdate(key: string, update: (current: Entry | undefined) => Write): Promise<Written> {
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

  watch(prefix: string, after: number, signal: AbortSignal): AsyncIterable<readonly Change[]> {
    return this.memory.watch(prefix, after, signal);
  }

  async compact(revision: number): Promise<void> {
    const newest = Math.min(revision, this.memory.bounds.revision);
    await this.memory.compact(newest);
    await this.client.call(methods.compact, { revision: newest }).catch((error: unknown) => {
      if (!(error instanceof RevisionCompacted)) throw error;
    });
  }

  async probe(): Promise<void> {
    if (this.#closed) throw new Error('the storage is closed');
    const { kvs } = await this.client.call(
      methods.range,
      { key: this.keys.head, keys_only: true },
      { patience: probeMillis },
    );
    await this.#feed.reached(numberOf(kvs[0]?.mod_revision), probeMillis);
  }

  /** Returns a text that all servers share. The first server makes it. */
  async shared(name: string, make: () => string): Promise<string> {
    const key = this.keys.other(name);
    const { succeeded, responses } = await this.client.call(methods.txn, {
      compare: [{ key, mod_revision: 0 }],
      success: [],
      failure: [{ request_range: { key } }],
    });
    const found = responses[0]?.response_range?.kvs[0]?.value;
    if (!succeeded && found !== undefined) return found.toString();
    const value = Buffer.from(make());
    const put = { compare: [{ key, mod_revision: 0 }], success: [{ request_put: { key, value } }] };
    const { succeeded: isFirst } = await this.client.call(methods.txn, put);
    return isFirst ? value.toString() : this.shared(name, make);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop.abort();
    await this.#background;
    this.client.close();
  }

  async #readHead(): Promise<void> {
    const { kvs, header } = await this.client.call(methods.range, { key: this.keys.head, keys_only: true });
    await this.#feed.reached(numberOf(kvs[0]?.mod_revision), reachMillis);
    // What came after the head are writes of other programs.
    this.memory.advance(numberOf(header.revision));
  }

  /** Calls `act` after the earlier calls for the key: writes of one server need not conflict. */
  async #inTurn<T>(key: string, act: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(key);
    const turn = before === undefined ? act() : before.then(act, act);
    const end = turn.catch(() => undefined);
    this.#turns.set(key, end);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === end) this.#turns.delete(key);
    }
  }

  /**
   * Decides a write on what this server knows, and commits it. A decision against the write, or for no change, holds only
   * if it is the same on the newest state.
   */
  #write(key: string, decide: (current: Entry | undefined) => Write, fence?: Fence): Promise<Written> {
    return this.#inTurn(key, () => this.#decideAndCommit(key, decide, fence));
  }

  async #decideAndCommit(
    key: string,
    decide: (current: Entry | undefined) => Write,
    fence: Fence | undefined,
  ): Promise<Written> {
    for (let isNewest = false; ; ) {
      const current = this.memory.peek(key);
      const beside = fence && { key: fence.key, entry: this.memory.peek(fence.key) };
      let write: Write;
      try {
        fence?.check(beside?.entry);
        write = decide(current);
        if (write === 'keep' && current === undefined) throw new Error(`nothing to keep under ${key}`);
        if (write !== 'keep' && 'remove' in write && current === undefined)
          throw new Error(`nothing to remove under ${key}`);
      } catch (error) {
        if (isNewest || !(await this.#isOutdated(key, current, beside))) throw error;
        isNewest = true;
        continue;
      }
      if (write === 'keep') {
        if (isNewest || !(await this.#isOutdated(key, current, beside)))
          return { entry: current as Entry, change: 'keep' };
        isNewest = true;
        continue;
      }
      const written = await this.#commit({ key, current, write, ...(beside && { beside }) });
      if (written !== undefined) return written;
      isNewest = false;
    }
  }

  /** Reports whether entries that a decision depends on have changed. */
  async #isOutdated(key: string, current: Entry | undefined, beside: Decided['beside']): Promise<boolean> {
    await this.sync();
    return this.memory.peek(key) !== current || (beside !== undefined && this.memory.peek(beside.key) !== beside.entry);
  }

  /** Commits a write. Returns undefined if an entry that it depends on has changed. */
  async #commit({ key, current, write, beside }: Decided): Promise<Written | undefined> {
    const isPut = 'put' in write;
    const value = isPut ? write.put : write.remove;
    const name = this.keys.of(key);
    const bytes = isPut || value !== current?.value ? Buffer.from(textOf(value)) : nothing;
    const forget = isPut ? this.#feed.expect(key, { bytes, value }) : undefined;
    const conditions = [{ key: name, mod_revision: current?.revision ?? 0 }];
    if (beside !== undefined)
      conditions.push({ key: this.keys.of(beside.key), mod_revision: beside.entry?.revision ?? 0 });
    const operation: RequestOp = isPut
      ? { request_put: { key: name, value: bytes } }
      : { request_delete_range: { key: name } };
    let isRepeated = false;
    const onRepeat = () => {
      isRepeated = true;
    };
    const request = {
      compare: conditions,
      // The head first: who follows needs the last state when the removal comes.
      success: [{ request_put: { key: this.keys.head, value: isPut ? nothing : bytes } }, operation],
      failure: [{ request_range: { key: this.keys.head, keys_only: true } }],
    };
    try {
      const { succeeded, header, responses } = await this.client.call(methods.txn, request, { onRepeat });
      if (succeeded) return await this.#known(key, numberOf(header.revision), isPut ? 'put' : 'remove', value);
      await this.#feed.reached(numberOf(responses[0]?.response_range?.kvs[0]?.mod_revision), reachMillis);
      // The write may have happened at the first time, so that its own effect made the second fail.
      const mine = isRepeated ? this.#firstChange(key, current) : undefined;
      const isMine =
        mine?.type === (isPut ? 'put' : 'remove') && (!isPut || textOf(mine.entry.value) === String(bytes));
      return isMine && mine !== undefined ? { entry: mine.entry, change: mine.type } : undefined;
    } finally {
      forget?.();
    }
  }

  /** Returns the first change of a key after an entry, if history still has it. */
  #firstChange(key: string, after: Entry | undefined): Change | undefined {
    const since = Math.max(after?.revision ?? 0, this.memory.bounds.oldest);
    return this.memory.changesSince(key, since).find(({ entry }) => entry.key === key);
  }

  /** Returns a write that happened at a revision, once readers of this server see it. */
  async #known(key: string, revision: number, change: 'put' | 'remove', value: KubeObject): Promise<Written> {
    // The write has happened, even if the news of it is late.
    await this.#feed.reached(revision, reachMillis).catch(() => undefined);
    const known = change === 'put' ? this.memory.peek(key) : undefined;
    if (known?.revision === revision) return { entry: known, change };
    return { entry: new Entry(key, revision, stamped(value, revision)), change };
  }
}

const nothing = Buffer.alloc(0);

/** The text of a value in etcd, without its revision, which etcd knows. */
function textOf(value: KubeObject): string {
  const { resourceVersion: _known, ...metadata } = value.metadata;
  return JSON.stringify({ ...value, metadata });
}
