// Reads a log and compares it with the output of the container.
import { fail, status } from '../client/expect.js';
import { brief } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import type { Context } from '../run/context.js';
import { type LogPod, logPath } from './pods.js';

/** A log, and its expected content. */
export interface LogRead {
  readonly reply: Reply;
  readonly expected: Buffer;
  /** The owner of the node: the run, or the target. */
  readonly node: 'ours' | 'theirs';
}

export async function readExpectedLog(
  context: Context,
  pod: LogPod,
  query: string,
  expected: string | Buffer,
): Promise<LogRead> {
  return { ...(await readLog(context, pod, query)), expected: Buffer.from(expected) };
}

/** Reads a log for checks that need more than its bytes. */
export async function readLog({ client, node }: Context, pod: LogPod, query: string) {
  const reply = await client.send({ method: 'GET', path: logPath(pod, query), isStreamed: true });
  return { reply, node: node === undefined ? 'theirs' : 'ours' } as const;
}

/** Returns the name of a log for messages. */
export const logName = ({ reply, node }: Pick<LogRead, 'reply' | 'node'>): string => `${reply.request} (node: ${node})`;

/** Throws Failure unless the log equals the expected content, byte for byte. */
export function isLog(record: LogRead): void {
  const { reply, expected } = record;
  status(reply, 200);
  if (reply.bytes.equals(expected)) return;
  const shown = (bytes: Buffer): string => `${bytes.length} bytes ${brief(bytes.toString('utf8', 0, 300))}`;
  fail(`${logName(record)}: expected ${shown(expected)}, got ${shown(reply.bytes)}`);
}
