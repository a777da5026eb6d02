// Tests clients that do not read, on real connections: bytes and time are limited, and other clients are not delayed.
import { once } from 'node:events';
import { createServer, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { makeServerCertificates } from '../../test-certs/index.js';
import { json } from '../codecs/json.js';
import { type RunningServer, startServer } from '../server.js';
import { ask, dial } from '../testing/standIn.js';
import { encodable } from '../versions/views.js';
import type { WatchStream } from '../watch/sink.js';
import { isStreamCodec } from './frames.js';
import { sendWatch } from './watchResponse.js';

const maps = '/api/v1/namespaces/default/configmaps';

/** Opens a watch on a connection that is not read. */
async function pausedWatch(server: RunningServer): Promise<TLSSocket> {
  const socket = await dial(server);
  socket.write(`GET ${maps}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n\r\n`);
  return socket.pause();
}

/** Reads names from a stream, up to a number. */
async function names(stream: AsyncIterable<Buffer>, count: number): Promise<string[]> {
  const found: string[] = [];
  let text = '';
  for await (const chunk of stream) {
    text += chunk.toString('latin1');
    const pattern = /"metadata":\{"name":"(m\d+)"/g;
    let end = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      found.push(match[1] ?? '');
      end = pattern.lastIndex;
    }
    // The rest may contain the beginning of the next name.
    text = text.slice(Math.max(end, text.length - 100));
    if (found.length >= count) break;
  }
  return found;
}

it('a client that pauses delays no other, and misses no event', async () => {
  await using server = await startServer();
  const paused = await pausedWatch(server);
  const quick = httpsRequest({
    port: server.port,
    host: '127.0.0.1',
    ca: server.caCertificate,
    agent: false,
    path: `${maps}?watch=1`,
    headers: { Authorization: `Bearer ${server.token}` },
  });
  quick.end();
  const [response] = await once(quick, 'response');
  const written = Array.from({ length: 40 }, (_, index) => `m${index}`);
  const seen = names(response, written.length);
  // More than the buffers of a connection hold, and less than the history holds.
  const payload = 'x'.repeat(200_000);
  for (const name of written) {
    const body = JSON.stringify({ metadata: { name }, data: { payload } });
    expect((await ask(server, maps, { method: 'POST', body })).status).toBe(200);
  }
  expect(await seen).toEqual(written);
  expect(await names(paused, written.length)).toEqual(written);
});

it('a client that stops reading is disconnected, and its buffer stays within the limit', async () => {
  const { ca, server: pair } = await makeServerCertificates('127.0.0.1', { names: ['IP:127.0.0.1'] });
  if (!isStreamCodec(json)) throw new Error('JSON has no stream');
  const codec = json;
  const limits = { bytes: 100_000, milliseconds: 100 };
  const events = [{ type: 'ADDED' as const, object: encodable({ kind: 'ConfigMap', payload: 'x'.repeat(50_000) }) }];
  let mostWaiting = 0;
  const server = createServer({ cert: pair.certificate, key: pair.key }, (_request, response) => {
    const flood: WatchStream = async (sink) => {
      while (!response.destroyed) {
        if (!sink.write(events)) await sink.drained();
        mostWaiting = Math.max(mostWaiting, response.socket?.writableLength ?? 0);
      }
    };
    void sendWatch(response, flood, codec, limits).then(() => server.emit('cut'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', ca: ca.certificate });
  client.on('error', () => {});
  await once(client, 'secureConnect');
  client.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(server, 'cut');
  expect(mostWaiting).toBeLessThan(limits.bytes + 60_000);
  client.destroy();
  server.close();
  await once(server, 'close');
});
