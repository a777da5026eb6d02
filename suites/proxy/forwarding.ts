// The parts of a request and a response that a proxy passes on, and those that it removes.

import { authorizationOf, ownCredential } from '../client/carried.js';
import { equal, fail, status, Unchecked } from '../client/expect.js';
import { inChunks } from '../client/otherTransports.js';
import { rawRequest } from '../client/rawRequest.js';
import { Reply } from '../client/reply.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { backendsOf } from './backends.js';
import { type ProxyContent, proxyPath, seenBy, shownIn, through } from './calls.js';

const keptPath = 'a%2Fb//c%20d/e%3Ff/g%2520h/i+j%2Bk;l=m,n:@o/%C3%A9/';
/** Parameters that the server itself knows elsewhere. */
const ownQuery = 'pretty=true&watch=true&timeoutSeconds=1&labelSelector=a';
const keptQuery = `x=1&x=2&y=a%20b%2F&z&plus=a+b&encoded=a%2Bb%26c&nul=%00&utf8=%C3%A9&empty=&long=${'x'.repeat(3_000)}&${ownQuery}&x=3`;
const odd = 'application/x-conformance';
const text = 'Grüße, 世界\n'.repeat(8_000);
/** More than a server takes of an object. */
const upload = Buffer.alloc(4 * 1024 * 1024, 'x');
const deletion = 'What is to be deleted.';
/** Statuses of a backend, those among them that the server itself has a meaning for, and some without a body. */
const statuses = [
  418, 400, 403, 404, 405, 409, 410, 415, 422, 429, 503, 500, 502, 504, 401, 201, 202, 204, 206, 304,
] as const;
const bodiless: readonly number[] = [204, 304];
/** Headers of a backend that its clients rely on. */
const shown = {
  etag: '"one"',
  'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
  'www-authenticate': 'Basic realm="backend"',
  'content-language': 'fr',
  'content-disposition': 'attachment; filename="a b.txt"',
  'retry-after': '7',
  'x-conformance': 'returns',
};
const redirects = [301, 302, 303, 307, 308] as const;
/** A place that has nothing to do with the backend. */
const foreign = 'https://elsewhere.example/there?x=1';
/** Headers of a client that a backend relies on. */
const sent = {
  accept: odd,
  'x-conformance': 'passes',
  'accept-language': 'fr',
  'if-none-match': '"another"',
  origin: 'https://conformance.example',
  range: 'bytes=0-99',
  'user-agent': 'conformance/1',
};
const subprotocol = 'conformance';
/** Headers that a WebSocket is opened with. Servers have always lost its query. */
const ofSocket = { cookie: 'one=1; two=2', 'x-conformance': 'passes' };
/** A header that belongs to one hop because `Connection` names it. */
const named = 'x-conformance-hop';
const hop = {
  te: 'deflate',
  'proxy-connection': 'keep-alive',
  'proxy-authorization': 'Basic Y29uZm9ybWFuY2U6Zm9ybQ==',
};

/** Sends all requests at once, one for each part. */
async function passing(subject: OperationSubject, context: Context) {
  const backends = await backendsOf(context);
  const send = (rest: string, content: ProxyContent = {}) => through(subject, context, { rest, ...content });
  const written = (method: string, body: string, content: ProxyContent = {}) =>
    send('b', { method, headers: { 'content-type': odd, 'x-conformance': 'passes' }, body, ...content });
  const [
    kept,
    query,
    headers,
    hops,
    posted,
    put,
    patched,
    deleted,
    uploaded,
    head,
    asked,
    replies,
    moved,
    away,
    ...others
  ] = await Promise.all([
    send(keptPath),
    send('q', { query: keptQuery }),
    send('headers', { query: String(new URLSearchParams(shown)), headers: sent }),
    send('p', { headers: hop }),
    written('POST', text),
    written('PUT', text, { over: inChunks(8_192) }),
    written('PATCH', text),
    written('DELETE', deletion),
    send('bytes/0', { method: 'POST', headers: { 'content-type': odd }, body: upload }),
    send('headers', { method: 'HEAD', query: String(new URLSearchParams(shown)) }),
    send('o', { method: 'OPTIONS' }),
    Promise.all(statuses.map((code) => ofStatus(subject, context, code))),
    Promise.all(redirects.map((code) => send(`redirect/${code}`, { query: 'to=/elsewhere' }))),
    send('redirect/302', { query: `to=${encodeURIComponent(foreign)}` }),
    streamed(subject, context),
    upgraded(subject, context),
    sentRaw(subject, context),
  ]);
  const { token = '' } = ownCredential(context.client.target);
  const [first, echo, raw] = others;
  // Where a redirect of the backend to `/elsewhere` leads to.
  const target = proxyPath(subject.operation, backends, 'elsewhere');
  const writes = { posted, put, patched, deleted, uploaded };
  return { kept, query, headers, hops, ...writes, head, asked, replies, moved, away, target, first, echo, raw, token };
}

/** Asks the backend for a status. A 429 of the backend is not for the run to wait for. */
async function ofStatus(subject: OperationSubject, context: Context, code: number): Promise<Reply> {
  const reply = await through(subject, context, { rest: `status/${code}`, ...(code === 429 && { isProbe: true }) });
  const isOwn = reply.status === 429 && reply.headers['x-served-by'] === undefined;
  if (isOwn) context.client.health.lost(`${reply.request}: ${reply.status} of the target itself`);
  return reply;
}

/** Sends two Cookie headers and a header that Connection names, to a path that sets two cookies. */
async function sentRaw({ operation }: OperationSubject, context: Context) {
  const authorization = authorizationOf(ownCredential(context.client.target));
  if (authorization === undefined) return undefined;
  const path = proxyPath(operation, await backendsOf(context), 'cookies');
  const lines = [
    `Authorization: ${authorization}`,
    'Cookie: one=1',
    'Cookie: two=2',
    `Connection: ${named}`,
    `${named}: 1`,
  ];
  return { path, ...(await rawRequest(context.client, { method: 'GET', path, lines })) };
}

type SentRaw = NonNullable<Awaited<ReturnType<typeof sentRaw>>>;

/** Returns the response. Throws Unchecked if the run has no credential to send in a header. */
function rawReply(raw: SentRaw | undefined): SentRaw & { readonly reply: Reply } {
  if (raw === undefined) throw new Unchecked('skipped', 'the run has no credential that a header can hold');
  const { reply, path, error } = raw;
  return reply === undefined ? fail(`GET ${path}: ${error}`) : { ...raw, reply };
}

/** Reads the first part of a response whose second part comes later, and returns whether it came in time. */
async function streamed({ operation }: OperationSubject, context: Context) {
  const path = `${proxyPath(operation, await backendsOf(context), 'chunks/2')}?every=2`;
  return await context.client.stream({ method: 'GET', path, of: 'lines' }, async (stream) => {
    const came = await stream.until((events) => events.length > 0, 1_500);
    // A busy machine may be late.
    if (!came) context.client.health.lost(`${stream.request}: the first part`);
    return { path, status: stream.status, came, line: stream.events[0]?.bytes.toString() };
  });
}

/** Sends a message over a WebSocket to an echo. */
async function upgraded({ operation }: OperationSubject, context: Context) {
  const path = proxyPath(operation, await backendsOf(context), 'socket/seen');
  return await context.client.webSocket({ path, protocols: [subprotocol], headers: ofSocket }, async (opened) => {
    if (opened instanceof Reply) return { path, refusal: opened, protocol: '', seen: undefined, text: undefined };
    opened.send('there and back');
    await opened.until((received) => received.length > 1);
    const [seen, text] = opened.received.map(({ bytes }) => bytes.toString());
    return { path, protocol: opened.protocol, seen, text };
  });
}

export const passingGroups = [
  group({
    subjects: 'passingProxies',
    setup: passing,
    checks: {
      'path-kept': ({ kept }) => equal(seenBy(kept).path, `/${keptPath}`, `${kept.request}: the path`),
      query: ({ query }) => equal(seenBy(query).query, keptQuery, `${query.request}: the query`),
      headers: ({ headers, posted, put, deleted }) => {
        const { headers: seen } = seenBy(headers);
        for (const [name, value] of Object.entries(sent)) equal(seen.get(name), value, `${headers.request}: ${name}`);
        for (const [name, value] of Object.entries(shown))
          equal(headers.headers[name], value, `${headers.request}: ${name} of the answer`);
        for (const reply of [posted, put, deleted])
          equal(seenBy(reply).headers.get('x-conformance'), 'passes', `${reply.request}: x-conformance`);
      },
      'any-type': ({ headers, posted, put, deleted }) => {
        equal(seenBy(headers).headers.get('accept'), odd, `${headers.request}: Accept`);
        for (const reply of [posted, put, deleted])
          equal(seenBy(reply).headers.get('content-type'), odd, `${reply.request}: Content-Type`);
      },
      'hop-by-hop': ({ hops }) => {
        const { headers } = seenBy(hops);
        for (const [name, value] of Object.entries(hop)) {
          if (headers.get(name) === value) fail(`${hops.request}: the backend received ${name}`);
        }
      },
      'hop-by-hop-named': ({ raw }) => {
        const { reply } = rawReply(raw);
        if (seenBy(reply).headers.has(named))
          fail(`${reply.request}: the backend received ${named}, which Connection names`);
      },
      cookies: ({ raw }) => {
        const { reply, headers } = rawReply(raw);
        equal(seenBy(reply).all('cookie').join('; '), 'one=1; two=2', `${reply.request}: the cookies at the backend`);
        // A load balancer in front of the server may add cookies of its own.
        const set = headers.filter(([name, value]) => name === 'set-cookie' && /\b(?:one|two)=/.test(value));
        equal(
          JSON.stringify(set.map(([, value]) => value.split(';')[0])),
          '["one=1","two=2"]',
          `${reply.request}: Set-Cookie`,
        );
      },
      credentials: ({ headers, token }) => {
        for (const [name, value] of seenBy(headers).headers) {
          const leaks = name === 'authorization' || (token !== '' && value.includes(token));
          if (leaks) fail(`${headers.request}: the caller's credentials reached the backend in ${name}`);
        }
      },
      body: ({ posted, put, deleted, uploaded }) => {
        for (const [reply, sent] of [
          [posted, 'POST'],
          [put, 'PUT'],
        ] as const) {
          const { method, body } = seenBy(reply);
          equal(method, sent, `${reply.request}: the method`);
          if (body !== text)
            fail(`${reply.request}: the body came changed, ${String(body).length} characters of ${text.length}`);
        }
        equal(seenBy(deleted).body, deletion, `${deleted.request}: the body`);
        const what = `${uploaded.request} with ${upload.length} bytes`;
        equal(uploaded.status, 200, `${what}: status`);
        equal(uploaded.headers['x-served-by'], 'http-echo', `${what}: the header x-served-by of the answer`);
      },
      'other-methods': ({ head, asked, patched }) => {
        status(head, 200);
        equal(head.headers['x-served-method'], 'HEAD', `${head.request}: the method`);
        for (const [name, value] of Object.entries(shown))
          equal(head.headers[name], value, `${head.request}: ${name} of the answer`);
        equal(seenBy(asked).method, 'OPTIONS', `${asked.request}: the method`);
        // Servers before 1.8 proxy no PATCH.
        if (patched.status === 405) return;
        const { method, body } = seenBy(patched);
        equal(method, 'PATCH', `${patched.request}: the method`);
        if (body !== text) fail(`${patched.request}: the body came changed`);
      },
      status: ({ replies }) => {
        for (const [index, code] of statuses.entries()) {
          const reply = replies[index] as Reply;
          status(reply, code);
          equal(reply.headers['x-served-by'], 'http-echo', `${reply.request}: the header x-served-by of the answer`);
          if (!bodiless.includes(code)) seenBy(reply);
        }
      },
      streaming: ({ first }) => {
        if (!first.came || first.line !== 'chunk 1') {
          fail(
            `GET ${first.path}: the first part did not come before the second was sent (${first.status}, ${first.line})`,
          );
        }
      },
      upgrade: ({ echo }) => {
        const { path, refusal } = echo;
        if (refusal !== undefined)
          fail(`a WebSocket to ${path}: it is answered with ${refusal.status} ${refusal.excerpt()}`);
        equal(echo.protocol, subprotocol, `a WebSocket to ${path}: the subprotocol`);
        const seen =
          shownIn(echo.seen) ??
          fail(`a WebSocket to ${path}: expected the request as the backend received it, got ${echo.seen}`);
        equal(seen.path, '/socket/seen', `a WebSocket to ${path}: the path`);
        for (const [name, value] of Object.entries(ofSocket))
          equal(seen.headers.get(name), value, `a WebSocket to ${path}: ${name}`);
        equal(echo.text, 'there and back', `a WebSocket to ${path}: the echo`);
      },
      redirect: ({ moved, away, target }) => {
        for (const [index, code] of redirects.entries()) {
          const reply = moved[index] as Reply;
          status(reply, code);
          const { location = '' } = reply.headers;
          if (!location.endsWith(target)) fail(`${reply.request}: Location: expected …${target}, got ${location}`);
        }
        equal(away.headers.location, foreign, `${away.request}: Location`);
      },
    },
  }),
];
