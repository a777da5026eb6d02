// Raw requests, over plain connections and TLS: the bytes that are sent, the response, and the evidence.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { defined } from '../../matrix/api/index.js';
import { makeServerCertificates } from '../../test-certs/index.js';
import { bareTarget } from '../testing/bareTarget.js';
import { Client } from './client.js';
import { rawRequest } from './rawRequest.js';

let server: Server;
let client: Client;
afterEach(async () => {
  await client.close();
  server.close();
  await once(server, 'close');
});

function clientOf(url: string, ca?: string): Client {
  const credentials = { staticToken: { token: 'the-secret-token' } };
  return new Client(bareTarget(url, { ...defined({ ca }), credentials }));
}

/** Starts a server that calls `answer` with the first bytes of each connection. */
async function listening(answer: (socket: Socket, head: string) => void): Promise<void> {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => answer(socket, bytes.toString('latin1')));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const call = { method: 'GET', path: '/api/v1' };

describe('a raw request', () => {
  it('sends its lines unchanged, and reads to the end', async () => {
    let seen = '';
    await listening((socket, head) => {
      seen = head;
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nX: a: b\r\n\r\n{"code":401}');
    });
    const { reply } = await rawRequest(client, { ...call, lines: ['A: x\0\xff', 'A: y', ' folded'] });
    expect(seen).toMatch(
      /^GET \/api\/v1 HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\nConnection: close\r\nA: x\0\xff\r\nA: y\r\n folded\r\n\r\n$/,
    );
    expect([reply?.status, reply?.headers.x, reply?.value()]).toEqual([401, 'a: b', { code: 401 }]);
  });

  it('returns the response after the interim ones', async () => {
    await listening((socket) =>
      socket.end(
        'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 401 Unauthorized\r\nX: a\r\n\r\n',
      ),
    );
    const { reply, headers } = await rawRequest(client, call);
    expect([reply?.status, headers]).toEqual([401, [['x', 'a']]]);
  });

  it('joins the chunks of a body', async () => {
    const body = '4\r\n{"a"\r\n3;x=y\r\n:1}\r\n0\r\n\r\n';
    await listening((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body}`),
    );
    expect((await rawRequest(client, call)).reply?.value()).toEqual({ a: 1 });
  });

  it.each([
    ['says nothing', ''],
    ['speaks no HTTP', 'SSH-2.0-x\r\n\r\n'],
  ])('has no response if the server %s and closes', async (_, bytes) => {
    await listening((socket) => socket.end(bytes));
    const { reply, error } = await rawRequest(client, call);
    expect([reply, error]).toEqual([undefined, 'the connection was closed without an answer']);
  });

  it('gets the response of a server that stops reading the request', async () => {
    await listening((socket) => socket.end('HTTP/1.1 431 Too Large\r\n\r\n'));
    const { reply } = await rawRequest(client, { ...call, lines: [`Authorization: Bearer ${'x'.repeat(1_000_000)}`] });
    expect(reply?.status).toBe(431);
    expect(JSON.stringify(client.takeExchanges()).length).toBeLessThan(2_000);
  });

  it('records the exchange without secrets', async () => {
    await listening((socket) => socket.end('HTTP/1.1 401 the\r\nX: the-secret-token\r\n\r\nthe-secret-token'));
    await rawRequest(client, { ...call, lines: ['Authorization: Bearer the-secret-token'] });
    expect(client.takeExchanges()).toMatchObject([
      {
        request: { method: 'GET', headers: [['Authorization', 'Bearer <redacted>']] },
        response: { status: 401, headers: [['x', '<redacted>']], body: { text: '<redacted>' } },
      },
    ]);
  });
});

describe('a raw request over TLS', () => {
  it('shows the certificate by its names, and resumes a session', async () => {
    const { ca, server: own } = await makeServerCertificates('127.0.0.1', { names: ['DNS:api.example.org'] });
    const resumed: boolean[] = [];
    server = createTlsServer({ cert: own.certificate, key: own.key }, (socket: TLSSocket) => {
      resumed.push(socket.isSessionReused());
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = clientOf(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca.certificate);
    const by = (name: string) => rawRequest(client, { ...call, tls: { name } });
    expect((await by('api.example.org')).reply?.status).toBe(200);
    expect((await by('::1')).reply?.status).toBe(200);
    expect((await by('other.example.org')).error).toMatch(/altnames/);
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const { session, fingerprint } = await rawRequest(client, { ...call, tls: { version } });
      expect(fingerprint).toMatch(/^([0-9A-F]{2}:){31}/);
      await rawRequest(client, { ...call, tls: { version, ...defined({ session }) } });
      expect(resumed.splice(-2)).toEqual([false, true]);
    }
  });
});
