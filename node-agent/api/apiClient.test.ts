// Tests the certificates that the client of an API server accepts.
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeServerCertificates } from '../../test-certs/index.js';
import { ApiClient } from './apiClient.js';

let made: Awaited<ReturnType<typeof makeServerCertificates>>;
let other: typeof made;
let server: Server;
beforeAll(async () => {
  [made, other] = await Promise.all([makeServerCertificates('127.0.0.1'), makeServerCertificates('127.0.0.1')]);
  const { certificate: cert, key } = made.server;
  server = createServer({ cert, key }, (_, response) => response.end('{"metadata":{"name":"here"}}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(ca: string): Promise<unknown> {
  const client = new ApiClient({ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca });
  try {
    return await client.get('/');
  } finally {
    client.close();
  }
}

it.each([
  ['the authority that signed it', () => made.ca.certificate],
  ['the certificate itself', () => made.server.certificate],
])('accepts a server by %s', async (_, ca) => {
  expect(await ask(ca())).toEqual({ metadata: { name: 'here' } });
});

it.each([
  ['another authority', () => other.ca.certificate],
  ["another server's certificate", () => other.server.certificate],
])('rejects a server by %s', async (_, ca) => {
  await expect(ask(ca())).rejects.toThrow(/certificate/);
});
