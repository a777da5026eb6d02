// Responses that are not JSON, through a proxy: the client gets the response of the backend byte for byte.

import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { defined } from '../../matrix/api/index.js';
import { equal, fail, status } from '../client/expect.js';
import type { Reply } from '../client/reply.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { through } from './calls.js';

/** The path at the backend, and the expected response. */
interface BackendAnswer {
  readonly rest: string;
  readonly query?: string;
  /** The Content-Type, without spaces. */
  readonly type: string;
  readonly size: number;
  /** Compressed, for a client that accepts that. */
  readonly isZipped?: true;
}

const answers: Readonly<Record<string, BackendAnswer>> = {
  text: {
    rest: 'bytes/2000',
    query: 'type=text/plain;charset=iso-8859-1',
    type: 'text/plain;charset=iso-8859-1',
    size: 2_000,
  },
  'bytes that are no text': { rest: 'bytes/5000', type: 'application/octet-stream', size: 5_000 },
  'no body': { rest: 'bytes/0', type: 'application/octet-stream', size: 0 },
  compressed: {
    ...{ rest: 'bytes/2000', query: 'encoding=gzip', type: 'application/octet-stream', size: 2_000 },
    isZipped: true,
  },
  megabytes: { rest: 'bytes/3000000', type: 'application/octet-stream', size: 3_000_000 },
};

/** Byte n is n times 7 modulo 251: not a text, and without repeated parts in a short range. */
const repeated = Buffer.from(Array.from({ length: 251 }, (_, at) => (at * 7) % 251));
const bytesOf = (size: number): Buffer => Buffer.alloc(size, repeated);

async function answered(subject: OperationSubject, context: Context) {
  const expectedAnswer = answers[subject.variant ?? ''] ?? fail(`no answer ${subject.variant}`);
  const { rest, query, isZipped } = expectedAnswer;
  const headers = isZipped ? { 'accept-encoding': 'gzip' } : {};
  return { expectedAnswer, reply: await through(subject, context, { rest, headers, ...defined({ query }) }) };
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the bytes of a response as its Content-Encoding means them. */
function unzipped({ request, headers, bytes }: Reply): Buffer {
  if (headers['content-encoding'] !== 'gzip') return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: 1024 * 1024 });
  } catch (error) {
    return fail(`${request}: Content-Encoding is gzip, and the bytes are not: ${String(error)}`);
  }
}

export const answerGroups = [
  group({
    subjects: 'answeredProxies',
    setup: answered,
    checks: {
      answer: ({ expectedAnswer, reply }) => {
        status(reply, 200);
        equal(reply.headers['x-served-by'], 'http-echo', `${reply.request}: the header x-served-by of the answer`);
        const type = reply.headers['content-type'] ?? '';
        equal(type.replaceAll(' ', '').toLowerCase(), expectedAnswer.type, `${reply.request}: Content-Type`);
        const bytes = unzipped(reply);
        equal(bytes.length, expectedAnswer.size, `${reply.request}: bytes of the answer`);
        const expected = digest(bytesOf(expectedAnswer.size));
        if (digest(bytes) !== expected) fail(`${reply.request}: the bytes of the answer came changed`);
      },
    },
  }),
];
