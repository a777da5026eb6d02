// The client sends a request again if the target did not read it, and a pod while its namespace is new; nothing else.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { bareTarget } from '../testing/bareTarget.js';
import { Client } from './client.js';
import { NoAnswer } from './reply.js';

const path = '/api/v1/namespaces/a/pods';

/** Sends a request to a server that refuses once. Returns the status, and how many requests came. */
async function sendTo(method: string, status: number, message: string): Promise<[number, number]> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    const body = JSON.stringify(requests === 1 ? { kind: 'Status', message } : {});
    response.writeHead(requests === 1 ? status : 201, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Client(bareTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  try {
    return [(await client.send({ method, path, body: '{}' })).status, requests];
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

it.each([
  ['GET', { tries: 2 }, 2],
  ['DELETE', { tries: 2 }, 1],
  ['DELETE', { tries: 2, repeatsWrites: true }, 2],
  ['POST', { tries: 2, repeatsWrites: true }, 1],
] as const)('a %s without a response by the rules %j is sent %i times', async (method, rules, expected) => {
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
