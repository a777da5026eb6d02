// The client sends a request again if the target did not read it or is not ready for it, as for a pod while its namespace
// is new; nothing else.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { bareTarget } from '../testing/bareTarget.js';
import type { Call } from './calls.js';
import { Client } from './client.js';
import { Health } from './health.js';
import { rawRequest } from './rawRequest.js';
import { Readiness } from './readiness.js';
import { NoAnswer, Reply } from './reply.js';

const path = '/api/v1/namespaces/a/pods';

/** Sends a request to a server that refuses once. Returns the status, and how many requests came. */
async function sendTo(
  method: string,
  status: number,
  message: string,
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
  rules: ConstructorParameters<typeof Client>[2] = {},
  change: Partial<Call> = {},
): Promise<[number, number]> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    const body = JSON.stringify(requests === 1 ? { kind: 'Status', message, ...more } : {});
    const type = { 'content-type': 'application/json' };
    response.writeHead(requests === 1 ? status : 201, { ...type, ...(requests === 1 && headers) }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Client(bareTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), undefined, rules);
  try {
    return [(await client.send({ method, path, body: '{}', ...change })).status, requests];
  } finally {
    await client.close();
    server.close();
  }
}

it.each([
  [403, 'pods "p" is forbidden: service account a/default was not found, retry after the service account is created'],
  [403, 'pods "p" is forbidden: error looking up service account a/default: serviceaccount "default" not found'],
  [500, 'No API token found for service account "default", retry after the token is automatically created'],
])('a pod refused with %i is created again: %s', async (status, message) => {
  expect(await sendTo('POST', status, message)).toEqual([201, 2]);
});

const modified = 'the object has been modified; please apply your changes to the latest version and try again';

it.each([
  ['resourcequotas "q"', [201, 2]],
  ['pods "p"', [409, 1]],
])('a create with a conflict on %s ends with %j', async (what, end) => {
  expect(await sendTo('POST', 409, `Operation cannot be fulfilled on ${what}: ${modified}`)).toEqual(end);
});

it.each([
  ['services', [201, 2]],
  ['pods', [500, 1]],
])('a create of %s without a free address ends with %j', async (plural, end) => {
  const message = 'Internal error occurred: failed to allocate a serviceIP: range is full';
  expect(await sendTo('POST', 500, message, {}, {}, {}, { path: `/api/v1/namespaces/a/${plural}` })).toEqual(end);
});

it('a Service waits longer and longer for an address, a minute in all', () => {
  const readiness = new Readiness();
  const message = 'Internal error occurred: failed to allocate a serviceIP: range is full';
  const call: Call = { method: 'POST', path: '/api/v1/namespaces/a/services' };
  const type = { 'content-type': 'application/json' };
  const full = new Reply(`POST ${call.path}`, 500, type, Buffer.from(JSON.stringify({ message })));
  const pauses: number[] = [];
  let waited = 0;
  for (let next = readiness.pause(call, full, 0, 15_000); next !== undefined; ) {
    pauses.push(next);
    waited += next;
    next = readiness.pause(call, full, waited, 15_000);
  }
  expect(pauses.slice(0, 8)).toEqual([250, 250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  expect([pauses.length, waited]).toEqual([17, 60_000]);
});

it.each<[string, number, boolean, object, number]>([
  ['POST', 500, true, {}, 201],
  ['GET', 500, false, { retryAfterSeconds: 1 }, 201],
  ['PUT', 500, false, { retryAfterSeconds: 0 }, 500],
  ['PUT', 500, false, {}, 500],
  ['GET', 504, true, { retryAfterSeconds: 1 }, 504],
])('a %s that is answered %i, Retry-After %s, %j, ends with %i', async (method, status, says, details, end) => {
  const headers = says ? { 'retry-after': '1' } : {};
  expect((await sendTo(method, status, 'retry', { details }, headers))[0]).toBe(end);
});

it('a request that is always to be sent again waits once, and again after one has succeeded', () => {
  const readiness = new Readiness();
  const later = new Reply('', 500, { 'retry-after': '1' }, Buffer.from('{}'));
  const call = (name: string): Call => ({ method: 'PUT', path: `/api/v1/namespaces/${name}/secrets/${name}` });
  const pauses = [
    readiness.pause(call('a'), later, 0, 1_000),
    readiness.pause(call('a'), later, 4_000, 1_000),
    readiness.pause(call('b'), later, 0, 1_000),
    readiness.pause({ method: 'POST', path: '/api/v1/namespaces/a/secrets' }, later, 0, 1_000),
    readiness.pause(call('b'), new Reply('', 200, {}, Buffer.from('{}')), 0, 1_000),
    readiness.pause(call('b'), later, 0, 1_000),
  ];
  expect(pauses).toEqual([1_000, undefined, undefined, 1_000, undefined, 1_000]);
});

it('a pod waits for the account of its new namespace, whatever another account waited for in vain', () => {
  const readiness = new Readiness();
  const lacking = (account: string): Reply => {
    const message = `No API token found for service account "${account}", retry after the token is created`;
    const body = JSON.stringify({ message, details: { retryAfterSeconds: 1 } });
    return new Reply('', 500, { 'content-type': 'application/json' }, Buffer.from(body));
  };
  const call: Call = { method: 'POST', path };
  const pauses = [
    readiness.pause(call, lacking('other'), 4_000, 1_000),
    readiness.pause(call, lacking('default'), 3_999, 1_000),
    readiness.pause(call, lacking('default'), 4_000, 1_000),
    readiness.pause({ ...call, path: '/api/v1/namespaces/b/pods' }, lacking('default'), 0, 1_000),
    readiness.pause(call, new Reply('', 201, {}, Buffer.from('{}')), 0, 1_000),
    readiness.pause(call, lacking('default'), 0, 1_000),
  ];
  expect(pauses).toEqual([undefined, 1_000, undefined, undefined, undefined, 1_000]);
});

it.each([502, 503, 504])('a response of %i counts as lost', async (status) => {
  const server = createServer((_, response) => response.writeHead(status).end('<html></html>')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Client(bareTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  await client.send({ method: 'GET', path });
  await rawRequest(client, { method: 'GET', path });
  expect(client.health.losses.all).toBe(2);
  await client.close();
  server.close();
});

it.each(['GET', 'POST'])('a %s is sent again after the end of a connection that was idle too long', async (method) => {
  expect(await sendTo(method, 408, 'Request Timeout')).toEqual([201, 2]);
});

it.each([
  ['POST', 403, 'pods "p" is forbidden: error looking up service account a/absent: serviceaccount "absent" not found'],
  ['POST', 403, 'pods "p" is forbidden: User "system:serviceaccount:a:default" cannot create resource "pods"'],
  ['POST', 422, 'service account a/default was not found'],
  ['GET', 403, 'service account a/default was not found'],
])('a %s refused with %i is not sent again: %s', async (method, status, message) => {
  expect(await sendTo(method, status, message)).toEqual([status, 1]);
});

const repeats = [
  ['GET', { tries: 2 }, 2],
  ['DELETE', { tries: 2 }, 1],
  ['DELETE', { tries: 2, repeatsWrites: true }, 2],
  ['POST', { tries: 2, repeatsWrites: true }, 1],
] as const;

it.each(repeats)('a %s of a server without its etcd by the rules %j is sent %i times', async (method, rules, times) => {
  const sent = await sendTo(method, 500, 'context deadline exceeded', {}, {}, rules);
  expect(sent).toEqual([times === 1 ? 500 : 201, times]);
});

it.each([
  ['GET', 'etcdserver: leader changed', 2],
  ['GET', 'boom', 1],
  ['POST', 'etcdserver: leader changed', 2],
  ['PUT', 'etcdserver: leader changed', 1],
])('a %s that prepares a check and is answered 500 %s is sent %i times', async (method, message, times) => {
  expect((await sendTo(method, 500, message, {}, {}, {}, { isPreparing: true }))[1]).toBe(times);
});

it.each([
  'rpc error: code = Unavailable desc = transport is closing',
  'etcdserver: request timed out',
  'context deadline exceeded',
  'Internal error occurred: failed calling webhook "a.example.com": Post "https://a": context deadline exceeded',
])('a response of 500 counts as lost: %s', async (message) => {
  const health = new Health();
  await sendTo('GET', 500, message, {}, {}, { health });
  expect(health.losses.all).toBe(1);
});

it.each(repeats)('a %s without a response by the rules %j is sent %i times', async (method, rules, expected) => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (requests === 1) request.socket.destroy();
    else response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Client(bareTarget(url), undefined, rules);
  try {
    const reply = await client.send({ method, path, body: '{}' }).catch((error: unknown) => error);
    expect([reply instanceof NoAnswer, requests]).toEqual([expected === 1, expected]);
  } finally {
    await client.close();
    server.close();
  }
});
