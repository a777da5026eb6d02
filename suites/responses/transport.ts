// The transport: what HTTP allows around a request and its response, beside media types and status codes.

import { fail, success } from '../client/expect.js';
import { pathTo, resourceOf } from '../client/paths.js';
import { group } from '../run/group.js';
import { areDecodable, carry, compress, readEncoded, sendTyped, wasCarried, wasDecoded, wasDone } from './carried.js';
import { accept, isAccepted, isPreferred } from './clauses.js';
import { countsFirst, isAnswered, isNotCut, isUnderstood, repeatParameter, selectLong, writeQuery } from './queries.js';
import { agrees, converse } from './sessions.js';
import { areStrings, readStrings } from './strings.js';
import { isUsable, view } from './views.js';

/** A list of warnings (RFC 7234, 5.5): a code, an agent, a quoted text and perhaps a quoted date. */
const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const warning = String.raw`\d{3} \S+ ${quoted}(?: ${quoted})?`;
const warnings = new RegExp(`^${warning}(?:\\s*,\\s*${warning})*$`);

export const transportGroups = [
  group({
    subjects: 'carriedBodies',
    setup: carry,
    checks: { 'body-carried': (record, subject) => wasCarried(record, subject) },
  }),
  group({
    subjects: 'typedWithoutBody',
    setup: sendTyped,
    checks: { 'type-without-body': (record) => wasDone(record) },
  }),
  group({
    subjects: 'compressedBodies',
    setup: compress,
    checks: { 'body-compressed': (record) => wasDecoded(record) },
  }),
  group({
    subjects: 'encodedAnswers',
    setup: readEncoded,
    checks: { encoding: (record) => areDecodable(record) },
  }),
  group({
    subjects: 'acceptClauses',
    setup: accept,
    checks: { clauses: (record) => isAccepted(record), 'preferred-type': (record) => isPreferred(record) },
  }),
  group({
    subjects: 'views',
    setup: view,
    checks: { views: (record) => isUsable(record) },
  }),
  group({
    subjects: 'writtenStrings',
    setup: readStrings,
    checks: { strings: (record) => areStrings(record) },
  }),
  group({
    subjects: 'longSelectors',
    setup: selectLong,
    checks: {
      'long-query': (record) => isNotCut(record),
      'long-query-answer': (record) => isAnswered(record),
    },
  }),
  group({
    subjects: 'writtenQueries',
    setup: writeQuery,
    checks: { query: (record) => isUnderstood(record) },
  }),
  group({
    subjects: 'repeatedParameters',
    setup: repeatParameter,
    checks: { 'repeated-parameter': (record) => countsFirst(record) },
  }),
  group({
    subjects: 'sessions',
    setup: converse,
    checks: { http2: (record) => agrees(record) },
  }),
  group({
    subjects: 'warnings',
    setup: async ({ operation }, { client, sandbox }) => {
      const path = pathTo(resourceOf(operation), 'list', await sandbox.listed());
      return { reply: await client.send({ method: 'GET', path }) };
    },
    checks: {
      warning: ({ reply }) => {
        success(reply);
        const sent = reply.headers.warning;
        if (sent !== undefined && !warnings.test(sent))
          fail(`${reply.request}: expected a Warning of the form 299 - "text", got ${sent}`);
      },
    },
  }),
];
