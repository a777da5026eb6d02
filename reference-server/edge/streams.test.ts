import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expired } from '../errors.js';
import type { RunningServer } from '../server.js';
import { ask, dial, exchange, startStandIn, watching } from '../testing/standIn.js';

const objects = [
  { kind: 'ConfigMap', metadata: { name: 'a' } },
  { kind: 'ConfigMap', metadata: { name: 'b' } },
];
let server: RunningServer;
beforeAll(async () => {
  server = await startStandIn({
    watchList: watching(objects),
    watchAll: watching(objects, expired('too old resource version: 1 (5)')),
    watchOne: watching([]),
    log: () => ({
      status: 200,
      headers: [['Content-Type', 'text/plain']],
      stream: Readable.from(['one\n', 'two\n'].map((line) => Buffer.from(line))),
    }),
    exec: () => ({
      relay: (_request, socket, head) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
        socket.write(head);
        socket.pipe(socket);
      },
    }),
    proxy: () => ({ status: 200, raw: 'from afar', mediaType: 'text/html' }),
  });
});
afterAll(() => server.close());

const configmaps = '/api/v1/namespaces/ns/configmaps';

describe('a watch', () => {
  const until = (count: number) => (text: string) => text.split('"type":').length > count;
  const get = (path: string, accept = '*/*') =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\nAccept: ${accept}\r\n\r\n`;

  it.each(['watch=true', 'watch=1', 'watch=yes', 'watch=maybe', 'watch='])('is a list with %s', async (query) => {
    const text = await exchange(server, get(`${configmaps}?${query}`), until(2));
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(text).toMatch(/Content-Type: application\/json\r\n/);
    expect(text).toContain('{"type":"ADDED","object":{"kind":"ConfigMap","metadata":{"name":"a"}}}\n');
  });

  it.each(['watch=false', 'watch=0', 'watch=False', ''])('is not a list with "%s"', async (query) => {
    expect((await ask(server, `${configmaps}?${query}`)).text).toContain('"verb":"list"');
  });

  it('can be requested as a stream, in every group', async () => {
    for (const path of [`${configmaps}?watch=1`, '/apis/batch/v1/watch/namespaces/ns/jobs']) {
      expect(await exchange(server, get(path, 'application/json;stream=watch'), until(2))).toMatch(/ 200 OK/);
    }
  });

  it('is not YAML', async () => {
    const { status, text } = await ask(server, `${configmaps}?watch=1`, { headers: { Accept: 'application/yaml' } });
    expect(status).toBe(406);
    expect(text).toContain('only the following media types are accepted: application/json;stream=watch');
  });

  it('begins before its first event', async () => {
    const path = '/api/v1/watch/namespaces/ns/pods/p';
    expect(await exchange(server, get(path), (text) => text.includes('\r\n\r\n'))).toMatch(/ 200 OK/);
  });

  it('ends for its handler when the client leaves', async () => {
    let ended = () => {};
    const gone = new Promise<void>((resolve) => {
      ended = resolve;
    });
    await using own = await startStandIn({
      watchList: (request) => {
        request.signal.addEventListener('abort', () => ended());
        return watching(objects)(request);
      },
    });
    const head = `GET ${configmaps}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token}\r\n\r\n`;
    await exchange(own, head, until(2));
    await gone;
  });

  it('leaves no listeners behind on a connection with many requests', async () => {
    const sockets = new Set<Socket>();
    await using own = await startStandIn({
      watchList: ({ signal, raw }) => {
        sockets.add(raw.socket);
        return { status: 200, watch: async () => signal.throwIfAborted() };
      },
    });
    const head = `GET ${configmaps}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token}\r\n\r\n`;
    const socket = await dial(own);
    const listeners: number[] = [];
    for (let index = 0; index < 4; index++) {
      let text = '';
      socket.write(head);
      while (!text.endsWith('0\r\n\r\n')) text += String((await once(socket, 'data'))[0]);
      listeners.push(...[...sockets].map((one) => one.listenerCount('close')));
    }
    expect(listeners).toEqual([listeners[0], listeners[0], listeners[0], listeners[0]]);
    socket.destroy();
  });

  it('that fails after its start ends with an ERROR event', async () => {
    const { status, text } = await ask(server, '/api/v1/configmaps?watch=1');
    const last = JSON.parse(text.trim().split('\n').at(-1) ?? '') as unknown;
    expect(status).toBe(200);
    expect(last).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
  });
});

describe('other responses', () => {
  it('stream', async () => {
    const { text, headers } = await ask(server, '/api/v1/namespaces/ns/pods/p/log', {
      headers: { Accept: 'text/html' },
    });
    expect([text, headers['content-type']]).toEqual(['one\ntwo\n', 'text/plain']);
  });

  it('pass unchanged', async () => {
    const { text, headers } = await ask(server, '/api/v1/namespaces/ns/pods/p/proxy', {
      headers: { Accept: 'image/png' },
    });
    expect([text, headers['content-type']]).toEqual(['from afar', 'text/html']);
  });
});

describe('an upgrade', () => {
  const head = (path: string, token = server.token) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`;

  it('passes on the socket with the bytes that arrived with the request', async () => {
    const path = '/api/v1/namespaces/ns/pods/p/exec';
    const text = await exchange(server, [`${head(path)}early`, ' and late'], (all) => all.endsWith('early and late'));
    expect(text).toMatch(/^HTTP\/1.1 101 Switching Protocols\r\n/);
  });

  it.each([
    ['of another operation is answered plainly', configmaps, undefined, 200],
    ['without a credential is refused', '/api/v1/namespaces/ns/pods/p/exec', 'wrong', 401],
    ['of a path that is not served is refused', '/api/v1/namespaces/ns/pods/p/nosuch', undefined, 404],
  ])('%s', async (_, path, token, status) => {
    const text = await exchange(server, head(path, token));
    expect(text).toContain(`HTTP/1.1 ${status} `);
    expect(text).toMatch(/Connection: close/i);
  });
});

describe('the end', () => {
  it('arrives with open connections', async () => {
    const own = await startStandIn({ watchList: watching(objects) });
    const idle = await dial(own);
    const get = `GET ${configmaps}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token}\r\n\r\n`;
    let text = '';
    const watch = exchange(own, get, (soFar) => {
      text = soFar;
      return false;
    });
    await expect.poll(() => text.split('"type":').length).toBe(3);
    await own.close();
    expect(await watch).toMatch(/\r\n0\r\n\r\n$/);
    idle.destroy();
    await expect(ask(own, '/healthz')).rejects.toThrow();
  });
});
