// WebSockets to a real server: messages in both directions, subprotocols, every way to end, no secrets in the evidence.
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Target } from '../../requirements/index.js';
import { Client } from '../client.js';
import { NoAnswer, Reply } from '../reply.js';
import type { Socket } from './webSocket.js';

const token = 'a-token-of-a-target';
const secret = Buffer.from('a-value-of-a-secret').toString('base64');
const forbidden = '{"kind":"Status","message":"not you"}';

const behaviours: Readonly<Record<string, (socket: WebSocket) => void>> = {
  '/echo': (socket) => socket.on('message', (data, binary) => socket.send(data, { binary })),
  '/greeting': (socket) => socket.send('hello'),
  '/closed': (socket) => socket.close(4001, 'enough'),
  '/broken': (socket) => socket.terminate(),
  '/silent': () => undefined,
  '/secret': (socket) => {
    socket.send(JSON.stringify({ type: 'ADDED', object: { kind: 'Secret', data: { key: secret } } }));
  },
};
const server = createServer();
const upgrader = new WebSocketServer({
  noServer: true,
  handleProtocols: (protocols) => (protocols.has('second') ? 'second' : false),
});
server.on('upgrade', (request, socket, head) => {
  if (request.url === '/never') return;
  if (request.url === '/stream') {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n');
    return;
  }
  const known = behaviours[request.url ?? ''];
  if (known === undefined || request.headers.authorization !== `Bearer ${token}`) {
    const lines = ['HTTP/1.1 403 Forbidden', 'content-type: application/json', `content-length: ${forbidden.length}`];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${forbidden}`);
  } else upgrader.handleUpgrade(request, socket, head, known);
});
let client: Client;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  client = new Client({ url, credentials: { staticToken: { token } } } as unknown as Target, inject('deadline') / 2);
});
afterAll(async () => {
  await client.close();
  for (const socket of upgrader.clients) socket.terminate();
  server.closeAllConnections();
  server.close();
});

/** Opens a socket. Throws if the server refuses. */
const open = <T>(path: string, read: (socket: Socket) => Promise<T>, protocols: readonly string[] = []): Promise<T> =>
  client.webSocket({ path, protocols }, async (opened) => {
    if (opened instanceof Reply) throw new Error(`refused: ${opened.status}`);
    return read(opened);
  });

it('sends and receives text and bytes', async () => {
  const received = await open('/echo', async (socket) => {
    socket.send('text');
    socket.send(Buffer.of(0, 255));
    expect(await socket.until((messages) => messages.length === 2)).toBe(true);
    return socket.received;
  });
  expect(received.map(({ bytes, binary }) => [bytes, binary])).toEqual([
    [Buffer.from('text'), false],
    [Buffer.of(0, 255), true],
  ]);
  const [exchange] = client.takeExchanges();
  expect(exchange).toMatchObject({ response: { status: 101 }, frames: { length: 4 } });
  expect(
    exchange?.frames
      ?.map(({ direction }) => direction)
      .toSorted()
      .join(' '),
  ).toBe('received received sent sent');
});

it('keeps a message that arrives with the head', async () => {
  await open('/greeting', async (socket) => {
    expect(await socket.until((messages) => messages.length > 0)).toBe(true);
  });
});

it.each([
  [['first', 'second'], 'second'],
  [[], ''],
])('with the subprotocols %j gets %j', async (protocols, chosen) => {
  expect(await open('/silent', async (socket) => socket.protocol, protocols)).toBe(chosen);
});

it.each([
  ['/closed', { code: 4001, reason: 'enough' }],
  ['/broken', { code: 1006, reason: '' }],
])('%s: reports how it was closed', async (path, closing) => {
  expect(await open(path, (socket) => socket.closed())).toMatchObject(closing);
});

it('closes by a handshake', async () => {
  const closing = await open('/silent', (socket) => {
    socket.close(4002);
    return socket.closed();
  });
  expect(closing?.code).toBe(4002);
});

it('gives up waiting at the deadline', async () => {
  expect(await open('/silent', (socket) => socket.closed(20))).toBeUndefined();
});

it('returns the response of a target that refuses', async () => {
  const refusal = await client.webSocket({ path: '/echo', as: 'none' }, async (opened) => opened);
  expect(refusal).toBeInstanceOf(Reply);
  expect(refusal).toMatchObject({ status: 403 });
  expect((refusal as Reply).excerpt()).toContain('not you');
});

it('does not wait for the end of a response that is not an upgrade', async () => {
  expect(await client.webSocket({ path: '/stream' }, async (opened) => opened)).toMatchObject({ status: 200 });
});

it('has no response after the deadline', async () => {
  const opening = client.webSocket({ path: '/never', deadline: 50 }, async () => undefined);
  await expect(opening).rejects.toBeInstanceOf(NoAnswer);
});

it('records no secrets', async () => {
  client.takeExchanges();
  await open('/secret', (socket) => socket.until((messages) => messages.length > 0));
  const evidence = JSON.stringify(client.takeExchanges());
  expect(evidence).toContain('ADDED');
  for (const text of [secret, 'a-value-of-a-secret', token]) expect(evidence).not.toContain(text);
});
