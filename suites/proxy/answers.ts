// Answers that are no JSON, through a proxy: what the other end gave comes back, byte for byte.
import { createHash } from 'node:crypto';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { equal, fail, status } from '../support/expect.js';
import type { Recorded } from '../support/recorded.js';
import type { Context } from '../support/worker.js';
import { through } from './calls.js';

/** What the other end is asked for, and what it gives. */
interface Given {
  readonly rest: string;
  readonly query?: string;
  readonly type: string;
  readonly size: number;
}

const answers: Readonly<Record<string, Given>> = {
  text: { rest: 'bytes/2000', query: 'type=text/plain', type: 'text/plain', size: 2_000 },
  'bytes that are no text': { rest: 'bytes/5000', type: 'application/octet-stream', size: 5_000 },
  'no body': { rest: 'bytes/0', type: 'application/octet-stream', size: 0 },
  megabytes: { rest: 'bytes/3000000', type: 'application/octet-stream', size: 3_000_000 },
};

/** Byte n is n times 7 modulo 251: no text, and no piece like the one before. */
const bytesOf = (size: number): Buffer => Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 7) % 251));

async function answered(subject: OperationSubject, context: Context) {
  const given = answers[subject.variant ?? ''] ?? fail(`no answer ${subject.variant}`);
  const { rest, query } = given;
  return { given, reply: await through(subject, context, { rest, ...(query === undefined ? {} : { query }) }) };
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export const answerPerformers = { answeredProxies: answered };

export const answerChecks = {
  answer: ({ given, reply }: Recorded<typeof answered>) => {
    status(reply, 200);
    equal(reply.headers['x-served-by'], 'http-echo', `${reply.request}: the header x-served-by of the answer`);
    equal(reply.mediaType, given.type, `${reply.request}: Content-Type`);
    equal(reply.bytes.length, given.size, `${reply.request}: bytes of the answer`);
    const expected = digest(bytesOf(given.size));
    if (digest(reply.bytes) !== expected) fail(`${reply.request}: the bytes of the answer came changed`);
  },
};
