// Servers that do not take the liberties that HTTP gives to a client, or take others.
import { gzipSync } from 'node:zlib';
import {
  conformant,
  type Fault,
  fault,
  faultsOf,
  type WireReply,
  type WireRequest,
} from '../testing/faults/wire/fault.js';
import { drop, set } from '../testing/faults/wire/objects.js';
import { anyStatus, replies, shown, shownHeader } from '../testing/faults/wire/replies.js';
import {
  answer,
  every,
  failure,
  header,
  ignore,
  instead,
  not,
  ok,
  query,
  refuse,
  reread,
  sentText,
  withBody,
  withHeader,
  withType,
} from '../testing/faults/wire/requests.js';

const chunked = ({ isChunked }: WireRequest): boolean => isChunked;
const long = ({ path }: WireRequest): boolean => path.length > 8_000;
const overHttp2 = ({ version }: WireRequest): boolean => version === '2.0';
const waiting = withHeader('expect', /100-continue/);
const withParameter = withType(/;/);
const compressing =
  (encoding: string, edit: (bytes: Buffer) => Buffer = (bytes) => bytes) =>
  (reply: WireReply) => ({
    headers: { ...reply.headers, 'content-encoding': encoding },
    bytes: edit(gzipSync(reply.body)),
  });
const reads = /^GET .*\/configmaps\/[^/]+$/;

/** Compresses what is long, as real servers do. */
const compresses = (accepts: RegExp, change: ReturnType<typeof compressing>) =>
  replies([reads, withHeader('accept-encoding', accepts)], 200, (reply) =>
    reply.body.length > 100_000 ? change(reply) : {},
  );

const http2Faults = faultsOf('responses in responses.http2', [
  fault('lists nothing over HTTP/2', 'http2', [shownOverHttp2('ConfigMapList', set('items', []))]),
  fault('answers every miss over HTTP/2 with 500', 'http2', [
    { http2: true },
    replies(overHttp2, 404, () => failure(500)),
  ]),
  fault('names no version of itself over HTTP/2', 'http2', [shownOverHttp2(every, drop('gitVersion'))]),
  fault('asks for another connection after each request over HTTP/2', '', [{ http2: true, leavesHttp2: true }]),
  fault('takes one stream at a time over HTTP/2', '', [{ http2: true, singleStreams: true }]),
  fault('has no watch over HTTP/2', 'http2', [{ http2: true }, refuse([overHttp2, /watch=true/], 400)]),
]).map((row): Fault => ({ ...row, tls: true }));

function shownOverHttp2(what: string | RegExp, edit: Parameters<typeof shown>[1]) {
  const { reply = (given: WireReply) => given } = shown(what, edit);
  return {
    http2: true as const,
    reply: (given: WireReply, request: WireRequest) => (overHttp2(request) ? reply(given, request) : given),
  };
}

export const transportFaults = [
  ...faultsOf('responses in responses.*/configmaps', [
    fault('does not know the --- of YAML', 'body-carried in responses.body-carried', [
      refuse(withBody(/^(#.*\n)?---\n/), 400),
    ]),
    fault('refuses a body that does not say its length', 'body-carried in responses.body-carried', [
      refuse(chunked, 411),
    ]),
    fault('takes a body in chunks for no body', 'body-carried in responses.body-carried', [
      instead(chunked, ({ method }) => ({ body: method === 'PATCH' ? '{}' : '' })),
    ]),
    fault('reads only the first chunk of a patch', 'body-carried › PATCH …/configmaps', [
      instead([chunked, 'PATCH'], () => ({ body: '{"data":{"text":"plain, "}}' })),
    ]),
    fault('stores what came in chunks as Latin-1', 'body-carried in responses.body-carried', [
      instead(chunked, ({ body }) => ({ body: Buffer.from(body).toString('latin1') })),
    ]),
    fault('does not know Expect', 'body-carried in responses.body-carried', [refuse(waiting, 417)]),
    fault('lets a client wait that expects 100 Continue', 'body-carried › POST …/configmaps, after', [
      { neverContinues: true },
    ]),
    fault('does not know a type with a charset', 'body-carried in responses.body-carried', [
      refuse(withParameter, 415),
    ]),
    fault('takes a type with a charset for text', 'body-carried in responses.body-carried', [
      sentText(withParameter, (body) => body.replace(/[^\x20-\x7e]/gu, '?')),
    ]),
    fault('knows a charset in lower case only', 'body-carried › POST …/configmaps, charset=UTF-8', [
      refuse(withType(/charset=UTF-8/), 415),
    ]),
    fault('decodes no pairs of escapes', 'body-carried › POST …/configmaps, escaped', [
      sentText(withBody(/\\ud83d/), (body) => body.replace(/\\ud83d\\ude00/, '??')),
    ]),
    fault('keeps the backslash of an escaped slash', 'body-carried › PATCH …/configmaps/{name}, escaped', [
      sentText(every, (body) => body.replaceAll('\\/', '\\\\/')),
    ]),
    fault('wants a body where a type is named', 'type-without-body', [
      refuse([not(/^(POST|PUT|PATCH)/), withType(/json/), withBody(/^$/)], 400),
    ]),
    fault('deletes nothing where a type is named and no body is sent', 'type-without-body › DELETE', [
      answer(['DELETE', withType(/json/), withBody(/^$/)], ok()),
    ]),
    fault('knows types in lower case only', 'body-carried in responses.body-carried', [refuse(withType(/[A-Z]/), 415)]),
    fault('refuses blanks after JSON', 'body-carried in responses.body-carried', [
      refuse(({ body }) => /[\s]$/.test(body), 400),
    ]),
    fault('stores a compressed body as nothing', 'body-compressed in responses.body-compressed', [
      instead(withHeader('content-encoding', /gzip/), (request) => ({
        headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== 'content-encoding')),
        body: '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"generateName":"x"}}',
      })),
    ]),
    fault('fails for a compressed body', 'body-compressed in responses.body-compressed', [
      refuse(withHeader('content-encoding', /gzip/), 500),
    ]),
    fault('compresses without being asked', 'encoding in responses.encoding', [compresses(/^$/, compressing('gzip'))]),
    fault('compresses for a client that refuses it', 'encoding in responses.encoding', [
      compresses(/gzip;q=0$/, compressing('gzip')),
    ]),
    fault('cuts what it compresses', 'encoding in responses.encoding', [
      compresses(
        /^gzip$/,
        compressing('gzip', (bytes) => bytes.subarray(0, bytes.length / 2)),
      ),
    ]),
    fault('says gzip and sends the text', 'encoding in responses.encoding', [
      compresses(/^gzip$/, ({ headers, body }) => ({
        headers: { ...headers, 'content-encoding': 'gzip' },
        bytes: Buffer.from(body),
      })),
    ]),
    fault('compresses in an encoding of its own', 'encoding in responses.encoding', [
      compresses(/br/, compressing('deflate')),
    ]),
    fault('refuses a table with JSON beside it', 'clauses in responses.clauses', [
      refuse(withHeader('accept', /as=Table/), 406),
    ]),
    fault('refuses a table that it does not know', 'clauses in responses.clauses', [
      refuse(withHeader('accept', /NoSuchTable/), 406),
    ]),
    fault('shows tables without rows', 'clauses in responses.clauses', [shown('Table', set('rows', []))]),
    fault('shows tables with a cell too few', 'clauses in responses.clauses', [
      shown('Table', (table) => ({ ...table, rows: [{ cells: [] }] })),
    ]),
    fault('lists a table without its version', 'views in responses.views', [
      shown('Table', drop('metadata.resourceVersion')),
    ]),
    fault('ends a table with its first page', 'views in responses.views', [shown('Table', drop('metadata.continue'))]),
    fault('shows rows without their objects', 'views in responses.views', [shown('Table', drop('rows.*.object'))]),
    fault('shows every object in a table', 'views in responses.views', [
      ignore(withHeader('accept', /as=Table/), 'labelSelector'),
    ]),
    fault('ends a list of metadata with its first page', 'views in responses.views', [
      shown('PartialObjectMetadataList', drop('metadata.continue')),
    ]),
    fault('lists metadata without its uid', 'views in responses.views', [
      shown('PartialObjectMetadataList', drop('items.*.metadata.uid')),
    ]),
    fault('refuses to watch a table, with JSON beside it', 'views in responses.views', [
      refuse([/watch=true/, withHeader('accept', /as=Table/)], 406),
    ]),
    fault('shows metadata without labels', 'clauses in responses.clauses', [
      shown('PartialObjectMetadataList', set('items.*.metadata.labels', {})),
      shown('PartialObjectMetadata', set('metadata.labels', {})),
    ]),
    fault('does not know a wildcard beside JSON', 'clauses preferred-type in responses.*/configmaps, JSON or', [
      refuse(withHeader('accept', /json, \*/), 406),
    ]),
    fault('reads the first clause of Accept only', 'clauses in responses.clauses', [
      instead(withHeader('accept', /,/), (request) => ({
        headers: { ...request.headers, accept: String(request.headers.accept).replace(/,.*/, '') },
      })),
    ]),
    fault('sends YAML to who names no type', 'preferred-type in responses.preferred-type', [
      header(withHeader('accept', /^(\*\/\*)?$/), 'accept', 'application/yaml'),
    ]),
    fault('reads no weights', 'preferred-type in responses.preferred-type', [
      header(withHeader('accept', /q=0\.2/), 'accept', 'application/json'),
    ]),
    fault('looks at the first 16 clauses of Accept', 'clauses in responses.clauses', [
      refuse(withHeader('accept', /^(?:[^,]*,){16}/), 406),
    ]),
    fault('does not know an accepted type with a charset', 'clauses in responses.clauses', [
      refuse(withHeader('accept', /charset/), 406),
    ]),
    fault('sends JSON to a client that refuses it', 'clauses in responses.clauses', [
      header(withHeader('accept', /json;q=0,/), 'accept', 'application/json'),
    ]),
    fault('forgets the query of a long URL', 'long-query in responses.long-query', [
      instead(long, ({ path }) => ({ path: path.replace(/\?.*/, '') })),
    ]),
    fault('drops the end of a long selector', 'long-query in responses.long-query', [
      reread(long, 'labelSelector', (selector) => `${selector.slice(0, 4_000).replace(/,[^,]*$/, '')})`),
    ]),
    fault('refuses a long URL', 'long-query-answer in responses.long-query', [conformant, refuse(long, 414)]),
    fault('fails for a long URL', 'long-query long-query-answer in responses.long-query', [refuse(long, 500)]),
    fault('takes + for itself in a query', 'query in responses.query', [
      instead(/\+in\+/, ({ path }) => ({ path: path.replaceAll('+', '%2B') })),
    ]),
    fault('decodes a query twice', 'query in responses.query', [
      instead(/%25/, ({ path }) => ({ path: path.replaceAll('%25', '%') })),
    ]),
    fault('knows escapes in upper case only', 'query in responses.query', [
      instead(/%2f/, ({ path }) => ({ path: path.replace(/%2f/g, '%252f') })),
    ]),
    fault('ends a value at the second =', 'query in responses.query', [
      instead(/labelSelector=[^&%]*=/, ({ path }) => ({ path: path.replace(/(labelSelector=[^&%]*)=[^&]*/, '$1') })),
    ]),
    fault('takes an empty pair for the end of the query', 'query in responses.query', [
      instead(/&&/, ({ path }) => ({ path: path.replace(/&&.*/, '') })),
    ]),
    fault('does not decode the names of parameters', 'query in responses.query', [
      instead(/label%53/, ({ path }) => ({ path: path.replace('label%53', 'label%2553') })),
    ]),
    fault('counts the last of a repeated parameter', 'repeated-parameter', [
      conformant,
      query(every, (parameters) => {
        for (const name of new Set(parameters.keys())) parameters.set(name, parameters.getAll(name).at(-1) ?? '');
      }),
    ]),
    fault('joins a repeated parameter', 'repeated-parameter', [
      query(every, (parameters) => {
        for (const name of new Set(parameters.keys())) parameters.set(name, parameters.getAll(name).join(','));
      }),
    ]),
  ]),
  ...faultsOf('responses', [
    fault('warns in plain words', 'warning', [
      conformant,
      shownHeader(every, 'warning', 'v1 ComponentStatus is deprecated'),
    ]),
    fault('forgets the end of a quoted warning', 'warning', [
      replies(every, anyStatus, ({ headers }) => ({
        headers: { ...headers, warning: '299 - "deprecated, 299 - more' },
      })),
    ]),
  ]),
  ...http2Faults,
];
