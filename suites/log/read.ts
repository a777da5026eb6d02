// Reads a log and holds it against what the container wrote.
import { fail, status } from '../support/expect.js';
import { brief } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import type { Context } from '../support/worker.js';
import type { LogPod } from './pods.js';

/** A log that was read, and what it should hold. */
export interface LogRead {
  readonly reply: Reply;
  readonly expected: Buffer;
  /** Whose node said it. */
  readonly node: 'ours' | 'theirs';
}

/** Reads a log with that query. */
export async function read(context: Context, pod: LogPod, query: string, expected: string | Buffer): Promise<LogRead> {
  return { ...(await readLog(context, pod, query)), expected: Buffer.from(expected) };
}

/** Reads a log of which more is looked at than its bytes. */
export async function readLog({ client, node }: Context, { path }: LogPod, query: string) {
  const asked = query === '' ? path : `${path}?${query}`;
  const reply = await client.send({ method: 'GET', path: asked, isStreamed: true });
  return { reply, node: node === undefined ? 'theirs' : 'ours' } as const;
}

/** What a message says of a log. */
export const nameOf = ({ reply, node }: Pick<LogRead, 'reply' | 'node'>): string => `${reply.request} (node: ${node})`;

/** The log is what it should be, byte for byte. */
export function isLog(record: LogRead): void {
  const { reply, expected } = record;
  status(reply, 200);
  if (reply.bytes.equals(expected)) return;
  const shown = (bytes: Buffer): string => `${bytes.length} bytes ${brief(bytes.toString('utf8', 0, 300))}`;
  fail(`${nameOf(record)}: expected ${shown(expected)}, got ${shown(reply.bytes)}`);
}
