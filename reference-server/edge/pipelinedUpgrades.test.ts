// Tests what comes behind a request that is open: an upgrade, CONNECT, bytes that are not HTTP, and the end.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../app.js';
import type { Handler } from '../request.js';
import type { RunningServer } from '../server.js';
import { ask, dial, exchange, startStandIn, watching } from '../testing/standIn.js';

/** The watches that the server serves now. */
let open = 0;
const watchAll: Handler = (request) => {
  open += 1;
  request.signal.addEventListener('abort', () => (open -= 1));
  return watching([])(request);
};
let server: RunningServer;
beforeAll(async () => {
  const slowly: Handler = () =>
    new Promise((resolve) => {
      setTimeout(() => resolve({ status: 200, raw: 'in time', mediaType: 'text/plain' }), 50);
    });
  server = await startStandIn({ watchAll, read: slowly });
});
afterAll(() => server.close());

const watch = '/api/v1/pods?watch=1';
const slow = '/api/v1/namespaces/ns/pods/slow';
const head = (method: string, target: string, ...headers: string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${server.token}`, ...headers, '', ''].join('\r\n');
const upgrade = (protocol: string) => head('GET', '/version', 'Connection: Upgrade', `Upgrade: ${protocol}`);

/** Sends a request, and `behind` once its response has begun. Returns all that the server sends until it closes. */
async function behind(socket: Socket, first: string, bytes: string): Promise<string> {
  let text = '';
  socket.on('error', () => {}).on('data', (chunk) => (text += chunk));
  socket.write(first);
  await expect.poll(() => text).toContain('\r\n\r\n');
  const closed = once(socket, 'close');
  socket.write(bytes);
  await closed;
  return text;
}

describe('behind an open watch', () => {
  it.each(['foo', 'websocket', 'SPDY/3.1', 'h2c'])('an upgrade to %s ends that connection alone', async (protocol) => {
    const other = await dial(server);
    const ended = once(other, 'close');
    other.on('error', () => {}).write(head('GET', watch));
    expect(await behind(await dial(server), head('GET', watch), upgrade(protocol))).toMatch(/^HTTP\/1.1 200 OK/);
    await expect.poll(() => open).toBe(1);
    expect((await ask(server, '/healthz')).text).toBe('ok');
    other.destroy();
    await ended;
    await expect.poll(() => open).toBe(0);
  });

  it.each([
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an upgrade with two hosts', `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n`],
  ])('%s writes nothing into its response', async (_, bytes) => {
    const text = await behind(await dial(server), head('GET', watch), bytes);
    expect(text.match(/HTTP\/1.1/g)).toHaveLength(1);
  });

  it('the same holds for an application in a server of its own', async () => {
    const api = await createApp({ tokens: [] });
    const own = createServer(api).on('upgrade', api.upgrade).listen(0, '127.0.0.1');
    await once(own, 'listening');
    const { port } = own.address() as AddressInfo;
    const bearer = `Host: x\r\nAuthorization: Bearer ${api.token}`;
    const first = `GET ${watch} HTTP/1.1\r\n${bearer}\r\n\r\n`;
    const next = `GET /version HTTP/1.1\r\n${bearer}\r\nConnection: Upgrade\r\nUpgrade: foo\r\n\r\n`;
    expect(await behind(connect(port, '127.0.0.1'), first, next)).toMatch(/^HTTP\/1.1 200 OK/);
    await api.close();
    own.close();
  });

  it('requests wait, and end with the connection', async () => {
    const socket = await dial(server);
    socket.on('error', () => {}).write(head('GET', watch).repeat(3));
    await expect.poll(() => open).toBe(1);
    socket.destroy();
    await expect.poll(() => open).toBe(0);
  });
});

describe('behind a request that is answered later', () => {
  it('bytes that are not HTTP are refused after its response', async () => {
    const text = await exchange(server, [head('GET', slow), 'nonsense\r\n\r\n', 'more\r\n\r\n']);
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(text).toContain('in time');
  });
});

it('a malformed chunk is refused at once', async () => {
  const path = '/api/v1/namespaces/ns/configmaps';
  const text = await exchange(server, `${head('POST', path, 'Transfer-Encoding: chunked')}zz\r\n`);
  expect(text).toMatch(/^HTTP\/1.1 400 /);
});
