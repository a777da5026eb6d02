// Lets etcd forget old revisions, so that it does not grow without end. The servers of one etcd take turns.
import { setTimeout as pause } from 'node:timers/promises';
import { type EtcdClient, RevisionCompacted } from './client.js';
import type { Keys } from './keys.js';
import { lastWrittenAt, methods, numberOfInt64 } from './messages.js';

/**
 * Compacts etcd in an interval, in milliseconds, up to the revision that was the newest one interval ago, until the
 * signal aborts. A key says when a server did so last: the others leave that interval out.
 */
export async function compactRegularly(
  client: EtcdClient,
  keys: Keys,
  interval: number,
  signal: AbortSignal,
): Promise<void> {
  const key = keys.other('compaction');
  let known: { readonly turn: number; readonly newest: number } | undefined;
  while (!signal.aborted) {
    try {
      known = await compactOnce(client, key, known);
    } catch {
      // etcd is away, or has less history than this server thinks. The next interval is early enough.
      known = undefined;
    }
    await pause(interval, undefined, { signal }).catch(() => undefined);
  }
}

/** Compacts unless another server has done so since. Returns the turn that comes next. */
async function compactOnce(
  client: EtcdClient,
  key: Buffer,
  known: { readonly turn: number; readonly newest: number } | undefined,
): Promise<{ readonly turn: number; readonly newest: number }> {
  const { kvs, header } = await client.call(methods.range, { key });
  const [turn, newest] = [numberOfInt64(kvs[0]?.mod_revision), numberOfInt64(header.revision)];
  if (known === undefined || known.turn !== turn) return { turn, newest };
  const { succeeded, header: after } = await client.call(methods.txn, {
    compare: [lastWrittenAt(turn, key)],
    success: [{ request_put: { key, value: Buffer.from(String(known.newest)) } }],
  });
  if (!succeeded) return { turn, newest };
  await client.call(methods.compact, { revision: known.newest }).catch((error: unknown) => {
    if (!(error instanceof RevisionCompacted)) throw error;
  });
  const revision = numberOfInt64(after.revision);
  return { turn: revision, newest: revision };
}
