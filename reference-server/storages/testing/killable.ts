// A storage that can be killed: after that it completes no call, like the storage of an ended process.

import { firstOf } from '../../../matrix/api/signals.js';
import type { KubeObject } from '../../schema/object.js';
import type {
  Entry,
  Fence,
  ListOptions,
  Range,
  Storage,
  StorageWrite,
  StoredChange,
  Written,
} from '../../storage/storage.js';

/** The storage of a server, over a storage that outlives the server. */
export class KillableStorage implements Storage {
  readonly #killed = new AbortController();
  readonly #under = new Set<Promise<unknown>>();

  constructor(readonly storage: Storage) {}

  /** Completes no further calls. Resolves when the running calls have ended; their results are dropped. */
  async kill(): Promise<void> {
    this.#killed.abort();
    await Promise.allSettled([...this.#under]);
  }

  revision(): Promise<number> {
    return this.#do(() => this.storage.revision());
  }
  sync(): Promise<void> {
    return this.#do(() => this.storage.sync());
  }
  create(key: string, value: KubeObject, fence?: Fence): Promise<Entry> {
    return this.#write(() => this.storage.create(key, value, fence));
  }
  get(key: string): Promise<Entry | undefined> {
    return this.#do(() => this.storage.get(key));
  }
  list(prefix: string, options?: ListOptions): Promise<Range> {
    return this.#do(() => this.storage.list(prefix, options));
  }
  guaranteedUpdate(key: string, update: (current: Entry | undefined) => StorageWrite): Promise<Written> {
    return this.#write(() => this.storage.guaranteedUpdate(key, update));
  }
  delete(key: string): Promise<Entry | undefined> {
    return this.#write(() => this.storage.delete(key));
  }
  async *watch(prefix: string, after: number, signal: AbortSignal): AsyncGenerator<readonly StoredChange[]> {
    const { signal: killed } = this.#killed;
    yield* this.storage.watch(prefix, after, firstOf(signal, killed));
    if (killed.aborted) await new Promise(() => {});
  }
  compact(revision: number): Promise<void> {
    return this.#do(() => this.storage.compact(revision));
  }
  probe(): Promise<void> {
    return this.#do(() => this.storage.probe());
  }
  async close(): Promise<void> {}

  /** Each write has its own turn of the event loop, so that a kill can occur between any two writes. */
  async #write<T>(work: () => Promise<T>): Promise<T> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.#do(work);
  }

  async #do<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#killed;
    const never = new Promise<never>(() => {});
    if (signal.aborted) return never;
    const working = work();
    this.#under.add(working);
    try {
      return await working;
    } finally {
      this.#under.delete(working);
      if (signal.aborted) await never;
    }
  }
}
