// Tests watches over a WebSocket through the whole server, with an independent client.
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { type RunningServer, startServer } from '../server.js';
import { ask, exchange, startStandIn, watching } from '../testing/standIn.js';

const maps = '/api/v1/namespaces/default/configmaps';
let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
  await ask(server, maps, { method: 'POST', body: '{"metadata":{"name":"a"}}' });
});
afterAll(() => server.close());

function open(path: string, protocols: string[] = [], on = server): WebSocket {
  const url = `${on.url.replace('https', 'wss')}${path}`;
  return new WebSocket(url, protocols, { ca: on.caCertificate, headers: { Authorization: `Bearer ${on.token}` } });
}

/** Returns the messages up to the close, which must be text, and the close code. */
async function closed(socket: WebSocket): Promise<{ messages: string[]; code: number }> {
  const messages: string[] = [];
  socket.on('message', (data, isBinary) => messages.push(isBinary ? 'binary' : String(data)));
  const [code] = (await once(socket, 'close')) as [number];
  return { messages, code };
}

/** Returns the status code and body of a refused upgrade. */
function refused(socket: WebSocket): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
  });
}

describe.each([
  `${maps}?watch=true&`,
  '/api/v1/watch/namespaces/default/configmaps?',
  '/api/v1/watch/namespaces/default/configmaps/a?',
])('%s over a WebSocket', (path) => {
  it('is a text message for each event, and a closing handshake after its timeout', async () => {
    const { messages, code } = await closed(open(`${path}timeoutSeconds=1`));
    expect(code).toBe(1000);
    expect(messages.map((message) => JSON.parse(message))).toMatchObject([
      { type: 'ADDED', object: { kind: 'ConfigMap', metadata: { name: 'a' } } },
    ]);
  });
});

describe('a WebSocket watch', () => {
  it.each([
    [[], ''],
    [['binary.k8s.io'], 'binary.k8s.io'],
    [['base64.binary.k8s.io'], 'base64.binary.k8s.io'],
    [['base64url.bearer.authorization.k8s.io.c2VjcmV0', 'binary.k8s.io'], 'binary.k8s.io'],
  ])('with the protocols %j uses "%s", in text', async (offered, spoken) => {
    const socket = open(`${maps}?watch=1`, offered);
    const ended = closed(socket);
    await once(socket, 'message');
    expect(socket.protocol).toBe(spoken);
    socket.close();
    expect((await ended).messages[0]).toMatch(/^\{"type":"ADDED"/);
  });

  it('answers pings, and ignores messages', async () => {
    const socket = open(`${maps}?watch=1`);
    const ended = closed(socket);
    await once(socket, 'message');
    socket.send('hello');
    socket.ping('are you there');
    expect(String((await once(socket, 'pong'))[0])).toBe('are you there');
    socket.close();
    expect((await ended).messages).toHaveLength(1);
  });

  it('that fails ends with an ERROR event', async () => {
    const { messages, code } = await closed(
      open(`${maps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=9999`),
    );
    expect(code).toBe(1000);
    expect(messages.map((message) => JSON.parse(message))).toMatchObject([{ type: 'ERROR', object: { code: 504 } }]);
  });

  it.each([
    ['with options that are none', `${maps}?watch=1&resourceVersion=x`, [], 400],
    ['with several subprotocols', `${maps}?watch=1`, ['one.k8s.io', 'two.k8s.io'], 400],
    ['of what cannot be watched', '/api/v1/componentstatuses?watch=1', [], 405],
    ['of a path that is none', '/api/v1/watch/nosuch', [], 404],
  ])('%s is refused with a Status', async (_, path, protocols, code) => {
    const { status, text } = await refused(open(path, protocols));
    expect([status, JSON.parse(text)]).toMatchObject([code, { kind: 'Status', code }]);
  });

  it('without a key, or with another version, is refused with a Status', async () => {
    for (const headers of [[], ['Sec-WebSocket-Version: 13'], ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']]) {
      const lines = [`GET ${maps}?watch=1 HTTP/1.1`, 'Host: x', `Authorization: Bearer ${server.token}`];
      const all = [...lines, 'Connection: Upgrade', 'Upgrade: websocket', ...headers, '', ''];
      const answer = await exchange(server, all.join('\r\n'));
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(answer).toContain('"reason":"BadRequest"');
    }
  });

  it('ends for its handler when the client closes, and for the client when the server stops', async () => {
    const signals: AbortSignal[] = [];
    await using own = await startStandIn({
      watchList: (request) => {
        signals.push(request.signal);
        return watching([{ kind: 'ConfigMap' }])(request);
      },
    });
    const [one, other] = [open(`${maps}?watch=1`, [], own), open(`${maps}?watch=1`, [], own)];
    const ends = [closed(one), closed(other)];
    await Promise.all([once(one, 'message'), once(other, 'message')]);
    one.close();
    await ends[0];
    await expect.poll(() => signals.map(({ aborted }) => aborted).sort()).toEqual([false, true]);
    await own.close();
    expect((await ends[1])?.code).toBe(1000);
  });
});
