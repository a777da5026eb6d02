// Reads the state of the storage at one revision, in pages.
import type { MemoryState } from '../../storage/memory.js';
import { Entry } from '../../storage/storage.js';
import type { EtcdClient } from './client.js';
import { RevisionCompacted } from './client.js';
import type { Keys } from './keys.js';
import { type HeadRead, headIn, methods, numberOfInt64 } from './messages.js';

/** The bytes that a page should have, and the most and the first number of its objects. */
const [pageBytes, mostInPage, firstInPage] = [2 * 1024 * 1024, 2_000, 100];

/** A state and its head. */
export interface HeadedState extends MemoryState {
  readonly head: HeadRead;
}

/**
 * Reads the state as it was `history` revisions ago, or as long ago as etcd still knows: with the changes since, it is a
 * state with its history. Watches that began on another server, or before a restart, go on from there.
 */
export async function readEarlierState(client: EtcdClient, keys: Keys, history: number): Promise<HeadedState> {
  const { header } = await client.call(methods.range, { key: keys.head, keys_only: true });
  const newest = numberOfInt64(header.revision);
  try {
    return await readState(client, keys, Math.max(1, newest - history));
  } catch (error) {
    if (!(error instanceof RevisionCompacted)) throw error;
  }
  try {
    return await readState(client, keys, await oldestOf(client, keys));
  } catch (error) {
    if (!(error instanceof RevisionCompacted)) throw error;
    return await readState(client, keys);
  }
}

/** Reads the state at a revision, the newest by default. Throws RevisionCompacted if etcd no longer has it. */
export async function readState(client: EtcdClient, keys: Keys, at?: number): Promise<HeadedState> {
  const asked = at === undefined ? {} : { revision: at };
  const heads = await client.call(methods.range, { ...keys.heads, keys_only: true, ...asked });
  const revision = at ?? numberOfInt64(heads.header.revision);
  const entries: Entry[] = [];
  let { key } = keys.objects;
  for (let limit = firstInPage; ; ) {
    const { kvs, more } = await client.call(methods.range, { ...keys.objects, key, limit, revision });
    let bytes = 0;
    for (const { key: name, mod_revision, value } of kvs) {
      bytes += value.length;
      entries.push(Entry.ofText(keys.objectOf(name) as string, numberOfInt64(mod_revision), value.toString()));
    }
    const last = kvs.at(-1);
    if (!more || last === undefined) {
      const head = headIn(heads);
      // Nothing has changed since the newest write.
      return { revision, oldest: head.isNewest ? head.written : revision, head, entries, log: [] };
    }
    key = Buffer.concat([last.key, Buffer.of(0)]);
    limit = Math.max(1, Math.min(mostInPage, Math.floor((pageBytes * kvs.length) / Math.max(1, bytes))));
  }
}

/** Returns the oldest revision that etcd knows: a watch that begins before it is told. */
function oldestOf(client: EtcdClient, keys: Keys): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    const stream = client.open(methods.watch, {
      data: ({ canceled, created, compact_revision }) => {
        if (canceled) resolve(numberOfInt64(compact_revision));
        else if (!created) reject(new RevisionCompacted());
        if (!created) stream.cancel();
      },
      end: (failure) => reject(failure ?? new RevisionCompacted()),
    });
    stream.write({ create_request: { key: keys.head, start_revision: 1 } });
  });
}
