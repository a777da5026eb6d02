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
import { type ProxyContent, proxyPath, seenBy, through } from './calls.js';

const keptPath = 'a%2Fb//c%20d/e%3Ff/';
const keptQuery = 'x=1&x=2&y=a%20b%2F&z&plus=a+b&encoded=a%2Bb%26c&nul=%00&utf8=%C3%A9&empty=&x=3';
const odd = 'application/x-conformance';
const text = 'Grüße, 世界\n'.repeat(8_000);
/** More than a server takes of an object. */
const upload = Buffer.alloc(4 * 1024 * 1024, 'x');
const deletion = 'What is to be deleted.';
/** Errors of a backend, those among them that the server itself has a meaning for. */
const statuses = [418, 404, 503] as const;
/** A header that belongs to one hop because `Connection` names it. */
const named = 'x-conformance-hop';
const hop = {
  te: 'deflate',
  'proxy-connection': 'keep-alive',
  'proxy-authorization': 'Basic Y29uZm9ybWFuY2U6Zm9ybQ==',
};

/** Sends all requests at once, one for each part. */
async function passing(subject: OperationSubject, context: Context) {
  await backendsOf(context);
  const send = (sent: ProxyContent) => through(subject, context, sent);
  const [kept, query, headers, hops, posted, put, deleted, uploaded, errors, redirect, first, echo, raw] =
    await Promise.all([
      send({ rest: keptPath }),
      send({ rest: 'q', query: keptQuery }),
      send({ rest: 'h', headers: { accept: odd, 'x-conformance': 'passes' } }),
      send({ rest: 'p', headers: hop }),
      send({ rest: 'b', method: 'POST', headers: { 'content-type': odd }, body: text }),
      send({ rest: 'b', method: 'PUT', headers: { 'content-type': odd }, body: text, over: inChunks(8_192) }),
      send({ rest: 'b', method: 'DELETE', headers: { 'content-type': odd }, body: deletion }),
      send({ rest: 'bytes/0', method: 'POST', headers: { 'content-type': odd }, body: upload }),
      Promise.all(statuses.map((code) => send({ rest: `status/${code}` }))),
      send({ rest: 'redirect/302', query: 'to=/elsewhere' }),
      streamed(subject, context),
      upgraded(subject, context),
      sentRaw(subject, context),
    ]);
  const { token = '' } = ownCredential(context.client.target);
  return { kept, query, headers, hops, posted, put, deleted, uploaded, errors, redirect, first, echo, raw, token };
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
  const path = proxyPath(operation, await backendsOf(context), 'socket');
  return await context.client.webSocket({ path }, async (opened) => {
    if (opened instanceof Reply) return { path, refusal: opened, text: undefined };
    opened.send('there and back');
    await opened.until((received) => received.length > 0);
    return { path, text: opened.received[0]?.bytes.toString() };
  });
}

export const passingGroups = [
  group({
    subjects: 'passingProxies',
    setup: passing,
    checks: {
      'path-kept': ({ kept }) => equal(seenBy(kept).path, `/${keptPath}`, `${kept.request}: the path`),
      query: ({ query }) => equal(seenBy(query).query, keptQuery, `${query.request}: the query`),
      headers: ({ headers }) => {
        equal(seenBy(headers).headers.get('x-conformance'), 'passes', `${headers.request}: the header x-conformance`);
        equal(headers.headers['x-served-by'], 'http-echo', `${headers.request}: the header x-served-by of the answer`);
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
      status: ({ errors }) => {
        for (const [index, reply] of errors.entries()) {
          status(reply, statuses[index] ?? 0);
          seenBy(reply);
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
        equal(echo.text, 'there and back', `a WebSocket to ${path}: the echo`);
      },
      redirect: ({ redirect }) => {
        status(redirect, 302);
        const { location = '' } = redirect.headers;
        if (!location.endsWith('/elsewhere'))
          fail(`${redirect.request}: Location: expected …/elsewhere, got ${location}`);
      },
    },
  }),
];
