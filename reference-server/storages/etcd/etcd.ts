// Storage on etcd: transactions on the revisions that were read, and reads from memory, which follows etcd.
import type { KubeObject } from '../../schema/object.js';
import type { HistoryLimits } from '../../storage/history.js';
import { MemoryStorage } from '../../storage/memory.js';
import {
  type Entry,
  type Fence,
  KeyExists,
  type ListOptions,
  type Range,
  type Storage,
  type StorageWrite,
  type StoredChange,
  type Written,
} from '../../storage/storage.js';
import { EtcdClient, RevisionCompacted } from './client.js';
import { compactRegularly } from './compactor.js';
import { Election } from './election.js';
import type { Endpoints } from './endpoints.js';
import { Feed } from './feed.js';
import { Head } from './head.js';
import { Keys } from './keys.js';
import { type HeadRead, headIn, lastWrittenAt, methods, numberOfInt64 } from './messages.js';
import { readEarlierState } from './state.js';
import { Writer } from './writer.js';

/** How long a health check waits for etcd, in milliseconds. */
const probeMillis = 1_000;
/** The number of revisions before the newest one whose changes a new server reads. */
const historyAtStart = 5_000;

/** Limits of the history in memory, and how often etcd forgets old revisions, in milliseconds; 0, the default, is never. */
export interface EtcdLimits extends HistoryLimits {
  readonly compactionInterval?: number;
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
  readonly #writer: Writer;
  readonly #stop = new AbortController();
  readonly #background: Promise<unknown>;
  readonly #head: Head;
  #closed = false;

  private constructor(
    readonly client: EtcdClient,
    readonly keys: Keys,
    readonly memory: MemoryStorage,
    head: HeadRead,
    compactionInterval: number,
  ) {
    const { signal } = this.#stop;
    const feed = new Feed(client, keys, memory, head);
    this.#feed = feed;
    this.#head = new Head(() => this.#readHead());
    this.#writer = new Writer({ client, keys, memory, feed, head: this.#head });
    this.leadership = new Election(client, keys.other('leader'));
    const compacting = compactionInterval > 0 ? compactRegularly(client, keys, compactionInterval, signal) : undefined;
    this.#background = Promise.all([this.#feed.run(signal), compacting]);
  }

  /**
   * Connects, and reads the state. Throws StorageAway if etcd does not respond, and OptionError for a certificate that
   * cannot be used.
   */
  static async open(
    endpoints: Endpoints,
    { compactionInterval = 0, ...limits }: EtcdLimits = {},
  ): Promise<EtcdStorage> {
    const client = new EtcdClient(endpoints);
    const keys = new Keys(endpoints.prefix);
    try {
      const snapshot = await readEarlierState(client, keys, limits.history ?? historyAtStart);
      const memory = new MemoryStorage({ ...limits, snapshot });
      const storage = new EtcdStorage(client, keys, memory, snapshot.head, compactionInterval);
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

  sync(): Promise<void> {
    return this.#head.sync();
  }

  get(key: string): Promise<Entry | undefined> {
    return this.memory.get(key);
  }

  list(prefix: string, options?: ListOptions): Promise<Range> {
    return this.memory.list(prefix, options);
  }

  async create(key: string, value: KubeObject, fence?: Fence): Promise<Entry> {
    const decide = (current: Entry | undefined): StorageWrite => {
      if (current !== undefined) throw new KeyExists(key);
      return { put: value };
    };
    return (await this.#writer.write(key, decide, fence)).entry;
  }

  guaranteedUpdate(key: string, update: (current: Entry | undefined) => StorageWrite): Promise<Written> {
    return this.#writer.write(key, update);
  }

  async delete(key: string): Promise<Entry | undefined> {
    const absent = Symbol('absent');
    try {
      const { entry } = await this.#writer.write(key, (current) => {
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
    await this.#feed.reached(numberOfInt64(kvs[0]?.mod_revision), probeMillis);
  }

  /** Returns a text that all servers share. The first server makes it. */
  async shared(name: string, make: () => string | Promise<string>): Promise<string> {
    const key = this.keys.other(name);
    const { succeeded, responses } = await this.client.call(methods.txn, {
      compare: [lastWrittenAt(0, key)],
      success: [],
      failure: [{ request_range: { key } }],
    });
    const found = responses[0]?.response_range?.kvs[0]?.value;
    if (!succeeded && found !== undefined) return found.toString();
    const value = Buffer.from(await make());
    const put = { compare: [lastWrittenAt(0, key)], success: [{ request_put: { key, value } }] };
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
    const heads = { ...this.keys.heads, keys_only: true } as const;
    const read = await this.client.call(methods.range, heads);
    const { written, isNewest } = headIn(read);
    if (isNewest) return this.#feed.caughtUp(written, numberOfInt64(read.header.revision));
    const { responses, header } = await this.client.call(methods.txn, {
      compare: [],
      success: [{ request_range: heads }, { request_range: { ...this.keys.objects, count_only: true } }],
    });
    const [now, objects] = responses.map(({ response_range }) => response_range);
    const count = numberOfInt64(objects?.count);
    await this.#feed.caughtUpWithRemovals(headIn(now).written, count, numberOfInt64(header.revision));
  }
}
