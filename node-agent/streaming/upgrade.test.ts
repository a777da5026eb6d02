// Tests accepted and refused upgrade requests.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestUpgrade } from '../testing/sockets.js';
import { type StreamServer, startStreamServer } from '../testing/streamServer.js';

let server: StreamServer;
beforeAll(async () => {
  server = await startStreamServer({});
});
afterAll(() => server[Symbol.asyncDispose]());

describe('a request is refused', () => {
  const spdy = { Connection: 'Upgrade', Upgrade: 'SPDY/3.1' };
  const webSocket = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
  const key = { 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
  it.each<[string, number, Record<string, string>, string, string]>([
    ['that is not an upgrade', 400, {}, 'GET', 'stdout=1'],
    ['for another protocol', 400, { Connection: 'Upgrade', Upgrade: 'h2c' }, 'GET', 'stdout=1'],
    ['that says so in one header only', 400, { Upgrade: 'SPDY/3.1' }, 'POST', 'stdout=1'],
    ['that wants no stream', 400, spdy, 'POST', 'tty=1'],
    ['that wants no stream but one that a terminal has not', 400, spdy, 'POST', 'tty=1&stderr=1'],
    ['with unknown versions', 403, { ...spdy, 'X-Stream-Protocol-Version': 'v9.channel.k8s.io' }, 'POST', 'stdout=1'],
    ['with unknown subprotocols', 403, { ...webSocket, ...key, 'Sec-WebSocket-Protocol': 'chat' }, 'GET', 'stdout=1'],
    ['for a WebSocket without a key', 400, webSocket, 'GET', 'stdout=1'],
    ['for a WebSocket with POST', 405, { ...webSocket, ...key }, 'POST', 'stdout=1'],
  ])('%s', async (_, status, headers, method, query) => {
    const answer = await requestUpgrade(server.port, `/exec?${query}`, headers, method);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/plain; charset=utf-8']);
    expect(answer.text).not.toBe('');
  });

  it('with the known versions', async () => {
    const headers = { ...spdy, 'X-Stream-Protocol-Version': 'v9.channel.k8s.io' };
    const answer = await requestUpgrade(server.port, '/exec?stdout=1', headers);
    expect(answer.headers['x-accepted-stream-protocol-versions']).toBe(
      'v4.channel.k8s.io, v3.channel.k8s.io, v2.channel.k8s.io, channel.k8s.io',
    );
  });
});

it('bytes after the head of a request are not lost', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const head = ['POST /exec?stdout=1 HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: SPDY/3.1', '', ''];
  // A ping right after the head.
  socket.write(Buffer.concat([Buffer.from(head.join('\r\n')), Buffer.from('800300060000000400000001', 'hex')]));
  let seen = '';
  socket.on('data', (bytes: Buffer) => {
    seen += bytes.toString('latin1');
  });
  await expect.poll(() => seen.endsWith('\x80\x03\x00\x06\x00\x00\x00\x04\x00\x00\x00\x01')).toBe(true);
  socket.destroy();
  await server.served.at(-1);
});
