// Tests logs over a WebSocket through the whole server, with an independent client.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { badRequest } from '../errors.js';
import type { RunningServer } from '../server.js';
import { startStandIn } from '../testing/standIn.js';

/** Ends by itself only if it is called `short`. */
const endless = new Readable({ read: () => {} });
let server: RunningServer;
beforeAll(async () => {
  server = await startStandIn({
    log: ({ path }) => {
      if (path.name === 'none') throw badRequest('none');
      const short = Readable.from(['one\n', 'two\n'].map((line) => Buffer.from(line)));
      return { status: 200, headers: [], stream: path.name === 'short' ? short : endless, asMessages: true };
    },
    proxy: () => ({ status: 200, headers: [], stream: Readable.from(['not upgraded']) }),
  });
});
afterAll(() => server.close());

function open(path: string, protocols: string[] = []): WebSocket {
  const url = `${server.url.replace('https', 'wss')}/api/v1/namespaces/ns/pods/${path}`;
  return new WebSocket(url, protocols, {
    ca: server.caCertificate,
    headers: { Authorization: `Bearer ${server.token}` },
  });
}

async function refusal(socket: WebSocket): Promise<number | undefined> {
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    { statusCode?: number; resume(): void },
  ];
  response.resume();
  return response.statusCode;
}

describe('a log over a WebSocket', () => {
  it.each([
    [[], '', ['', 'one\n', 'two\n'], true],
    [['binary.k8s.io'], 'binary.k8s.io', ['', 'one\n', 'two\n'], true],
    [['base64.binary.k8s.io'], 'base64.binary.k8s.io', ['', 'b25lCg==', 'dHdvCg=='], false],
    [['other', 'binary.k8s.io', 'base64.binary.k8s.io'], 'binary.k8s.io', ['', 'one\n', 'two\n'], true],
  ])('is an empty message, the pieces and a closing handshake: %j', async (offered, spoken, expected, binary) => {
    const socket = open('short/log', offered);
    const messages: string[] = [];
    socket.on('message', (data, isBinary) => {
      messages.push(String(data));
      expect(isBinary).toBe(binary);
    });
    const [code] = (await once(socket, 'close')) as [number];
    expect({ messages, code, protocol: socket.protocol }).toEqual({ messages: expected, code: 1000, protocol: spoken });
  });

  it('ends for the node when the client leaves', async () => {
    const socket = open('endless/log');
    await once(socket, 'open');
    socket.close();
    await expect.poll(() => endless.destroyed).toBe(true);
  });

  it('is refused for other subprotocols, and for errors with their codes', async () => {
    expect(await refusal(open('short/log', ['other']))).toBe(403);
    expect(await refusal(open('none/log'))).toBe(400);
  });

  it('is none for a backend that does not upgrade', async () => {
    expect(await refusal(open('short/proxy'))).toBe(200);
  });
});
