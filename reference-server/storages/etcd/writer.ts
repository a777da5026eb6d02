// Writes to etcd: each is decided on what this server knows, and is a transaction on the revisions of that.
import { jsonText } from '../../exactJson.js';
import type { KubeObject } from '../../schema/object.js';
import type { MemoryStorage } from '../../storage/memory.js';
import {
  Entry,
  type Fence,
  StorageFull,
  type StorageWrite,
  type StoredChange,
  stamped,
  type Written,
} from '../../storage/storage.js';
import type { EtcdClient } from './client.js';
import type { Feed } from './feed.js';
import type { Head } from './head.js';
import type { Keys } from './keys.js';
import { headIn, lastWrittenAt, methods, numberOfInt64, type RequestOp } from './messages.js';

/** A write that was decided on the entries that this server knew. */
interface Decided {
  readonly key: string;
  /** The entry on which the write was decided. */
  readonly current: Entry | undefined;
  readonly write: Exclude<StorageWrite, 'keep'>;
  /** Another entry on which the decision depends. */
  readonly beside?: { readonly key: string; readonly entry: Entry | undefined };
}

/** What a writer needs of its storage. */
interface WriterParts {
  readonly client: EtcdClient;
  readonly keys: Keys;
  readonly memory: MemoryStorage;
  readonly feed: Feed;
  readonly head: Head;
}

export class Writer {
  /** The end of the last write of each key that is under way. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(readonly parts: WriterParts) {}

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
   * Decides a write on what this server knows, and commits it. `decide` is called again if an entry that it depends on
   * has changed; a decision against the write, or for no change, holds only if it is the same on the newest state. Throws
   * what `decide` and the fence throw.
   */
  write(key: string, decide: (current: Entry | undefined) => StorageWrite, fence?: Fence): Promise<Written> {
    return this.#inTurn(key, () => this.#decideAndCommit(key, decide, fence));
  }

  async #decideAndCommit(
    key: string,
    decide: (current: Entry | undefined) => StorageWrite,
    fence: Fence | undefined,
  ): Promise<Written> {
    for (let isNewest = false; ; ) {
      const current = this.parts.memory.peek(key);
      const beside = fence && { key: fence.key, entry: this.parts.memory.peek(fence.key) };
      let write: StorageWrite;
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
      const decided = { key, current, write, ...(beside && { beside }) };
      const written = await this.#commit(decided).catch((error: unknown) => {
        if (!(error instanceof StorageFull) || 'put' in write) throw error;
        return this.#commit(decided, false);
      });
      if (written !== undefined) return written;
      isNewest = false;
    }
  }

  /** Reports whether entries that a decision depends on have changed. */
  async #isOutdated(key: string, current: Entry | undefined, beside: Decided['beside']): Promise<boolean> {
    await this.parts.head.sync();
    return (
      this.parts.memory.peek(key) !== current ||
      (beside !== undefined && this.parts.memory.peek(beside.key) !== beside.entry)
    );
  }

  /**
   * Commits a write. Returns undefined if an entry that it depends on has changed. Without a put of the head, a removal
   * needs no space, and others see the last state that was put.
   */
  async #commit({ key, current, write, beside }: Decided, putsHead = true): Promise<Written | undefined> {
    const isPut = 'put' in write;
    const value = isPut ? write.put : write.remove;
    const name = this.parts.keys.of(key);
    const bytes = isPut || value !== current?.value ? Buffer.from(textOf(value)) : nothing;
    const forget = bytes === nothing ? undefined : this.parts.feed.expect(key, { bytes, value });
    const conditions = [lastWrittenAt(current?.revision ?? 0, name)];
    if (beside !== undefined)
      conditions.push(lastWrittenAt(beside.entry?.revision ?? 0, this.parts.keys.of(beside.key)));
    const operation: RequestOp = isPut
      ? { request_put: { key: name, value: bytes } }
      : { request_delete_range: { key: name } };
    let isRepeated = false;
    const onRepeat = () => {
      isRepeated = true;
    };
    const { head, headIsNewest, heads } = this.parts.keys;
    const putOf = (key: Buffer, bytes: Buffer): RequestOp => ({ request_put: { key, value: bytes } });
    const mark = this.parts.feed.needsMark ? [putOf(headIsNewest, nothing)] : [];
    const ofHead: RequestOp[] = putsHead
      ? [putOf(head, isPut ? nothing : bytes), ...mark]
      : [{ request_delete_range: { key: headIsNewest } }];
    const request = {
      compare: conditions,
      // The head first: who follows needs the last state when the removal comes.
      success: [...ofHead, operation],
      failure: [{ request_range: { ...heads, keys_only: true } }],
    };
    const settled = this.parts.head.settledByWrite();
    try {
      const { succeeded, header, responses } = await this.parts.client.call(methods.txn, request, { onRepeat });
      const revision = numberOfInt64(header.revision);
      const { written, isNewest } = succeeded
        ? { written: revision, isNewest: true }
        : headIn(responses[0]?.response_range);
      const reached = isNewest ? this.parts.feed.caughtUp(written, revision) : this.parts.head.sync();
      reached.then(settled.done, settled.failed);
      if (succeeded) return await this.#known(key, revision, isPut ? 'put' : 'remove', value, reached);
      await reached;
      // The write may have happened at the first time, so that its own effect made the second fail.
      return isRepeated ? this.#happened(key, current, write) : undefined;
    } catch (error) {
      settled.failed();
      // The write that fills etcd happens, though etcd says that it has no space for it.
      const written = error instanceof StorageFull ? await this.#happenedAfterAll(key, current, write) : undefined;
      if (written === undefined) throw error;
      return written;
    } finally {
      forget?.();
    }
  }

  /** Returns a write that happened, if it is the first change of its key after the entry that it was decided on. */
  #happened(key: string, current: Entry | undefined, write: Decided['write']): Written | undefined {
    const first = this.#firstChange(key, current);
    if (first?.type !== ('put' in write ? 'put' : 'remove')) return undefined;
    const isMine = !('put' in write) || textOf(first.entry.value) === textOf(write.put);
    return isMine ? { entry: first.entry, change: first.type } : undefined;
  }

  async #happenedAfterAll(
    key: string,
    current: Entry | undefined,
    write: Decided['write'],
  ): Promise<Written | undefined> {
    await this.parts.head.sync();
    const written = this.#happened(key, current, write);
    // Another server may have removed the object, without a put.
    return written?.change === 'remove' && written.entry.revision !== this.parts.feed.headAt ? undefined : written;
  }

  /** Returns the first change of a key after an entry, if history still has it. */
  #firstChange(key: string, after: Entry | undefined): StoredChange | undefined {
    const since = Math.max(after?.revision ?? 0, this.parts.memory.bounds.oldest);
    return this.parts.memory.changesSince(key, since).find(({ entry }) => entry.key === key);
  }

  /** Returns a write that happened at a revision, once readers of this server see it: when `reached` resolves. */
  async #known(
    key: string,
    revision: number,
    change: 'put' | 'remove',
    value: KubeObject,
    reached: Promise<void>,
  ): Promise<Written> {
    // The write has happened, even if the news of it is late.
    await reached.catch(() => undefined);
    const known = change === 'put' ? this.parts.memory.peek(key) : undefined;
    if (known?.revision === revision) return { entry: known, change };
    return { entry: new Entry(key, revision, stamped(value, revision)), change };
  }
}

const nothing = Buffer.alloc(0);

/** The text of a value in etcd, without its revision, which etcd knows. */
function textOf(value: KubeObject): string {
  const { resourceVersion: _known, ...metadata } = value.metadata;
  return jsonText({ ...value, metadata });
}
