import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../server.js';
import { ask, dial, exchange, startStandIn } from '../testing/standIn.js';

const path = '/api/v1/namespaces/ns/configmaps';
const mebibyte = 1024 * 1024;
const payload = (bytes: number) => `{"data":"${'x'.repeat(bytes - 11)}"}`;
let server: RunningServer;
beforeAll(async () => {
  server = await startStandIn({ create: () => ({ status: 200, raw: 'created', mediaType: 'text/plain' }) });
});
afterAll(() => server.close());
afterEach(async () => expect((await ask(server, '/healthz')).text).toBe('ok'));

const head = (method: string, target: string, ...headers: string[]) =>
  [`${method} ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${server.token}`, ...headers, '', ''].join('\r\n');
const chunks = (bytes: number) => {
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  return [...new Array<string>(Math.ceil(bytes / 0x10000)).fill(chunk), '0\r\n\r\n'];
};

describe('a body', () => {
  it('of 3 MiB is read', async () => {
    expect((await ask(server, path, { method: 'POST', body: payload(3 * mebibyte) })).text).toBe('created');
  });

  it.each([
    ['one byte too long', 3 * mebibyte + 1],
    ['of 5 MiB', 5 * mebibyte],
  ])('%s is refused with an answer that arrives', async (_, bytes) => {
    const { status, text, headers } = await ask(server, path, { method: 'POST', body: payload(bytes) });
    expect(status).toBe(413);
    expect(headers.connection).toBe('close');
    expect(JSON.parse(text)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Request entity too large: limit is 3145728',
      reason: 'RequestEntityTooLarge',
      code: 413,
    });
  });

  it('of 5 MiB in chunks is refused with an answer that arrives', async () => {
    const text = await exchange(server, [head('POST', path, 'Transfer-Encoding: chunked'), ...chunks(5 * mebibyte)]);
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    expect(text).toContain('"code":413}');
  });

  it('of 20 MiB from an unauthorized user is not read into memory', async () => {
    const options = { method: 'POST', body: Buffer.alloc(20 * mebibyte), anonymous: true };
    expect((await ask(server, path, options)).status).toBe(401);
  });

  it('with Expect that is refused gets no 100 Continue', async () => {
    const expecting = ['Expect: 100-continue', `Content-Length: ${5 * mebibyte}`];
    const text = await exchange(server, head('POST', path, ...expecting));
    expect(text).toMatch(/^HTTP\/1.1 413 /);
  });

  it('with Expect gets 100 Continue', async () => {
    const expecting = ['Expect: 100-continue', 'Content-Length: 2', 'Connection: close'];
    const text = await exchange(server, [head('POST', path, ...expecting), '{}']);
    expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/);
  });

  it('that breaks off affects no other', async () => {
    const socket = await dial(server);
    socket.write(`${head('POST', path, 'Content-Length: 100')}{"a"`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
  });

  it('behind an upgrade is refused', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 2'];
    expect(await exchange(server, `${head('POST', path, ...upgrade)}{}`)).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('a head', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `X-H${index}: ${'v'.repeat(100)}`);

  it.each([
    ['a flood of headers', () => head('GET', path, ...many(2000)), 431],
    [
      'an oversized token',
      () => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'t'.repeat(100_000)}\r\n\r\n`,
      431,
    ],
    ['an endless path', () => head('GET', `/${'a/'.repeat(60_000)}`), 431],
    ['a control character in a header', () => head('GET', path, 'X-A: a\x00b'), 400],
    ['a control character in the path', () => head('GET', `${path}/a\x01b`), 400],
    ['two lengths', () => head('POST', path, 'Content-Length: 1', 'Content-Length: 2'), 400],
    ['a length and chunks', () => head('POST', path, 'Content-Length: 1', 'Transfer-Encoding: chunked'), 400],
    ['a length that is none', () => head('POST', path, 'Content-Length: -1'), 400],
    ['no host', () => `GET ${path} HTTP/1.1\r\n\r\n`, 400],
    ['two hosts', () => head('GET', path, 'host: y'), 400],
    ['two hosts and an upgrade', () => head('GET', path, 'HOST: y', 'Connection: Upgrade', 'Upgrade: websocket'), 400],
    ['no version', () => `GET ${path}\r\n\r\n`, 400],
    ['an ancient version', () => `GET ${path} HTTP/0.9\r\nHost: x\r\n\r\n`, 400],
    ['an unknown expectation', () => head('GET', path, 'Expect: miracle', 'Connection: close'), 417],
    ['no HTTP', () => '\x16\x03\x01 hello\r\n\r\n', 400],
    ['HTTP/2 without a word', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['CONNECT', () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405],
    ['OPTIONS *', () => head('OPTIONS', '*', 'Connection: close'), 404],
    ['a path that climbs', () => head('GET', '/api/v1/../../etc/passwd', 'Connection: close'), 404],
    ['two slashes', () => head('GET', '/api//v1/namespaces', 'Connection: close'), 404],
    ['a name that is not UTF-8', () => head('GET', `${path}/%ff%fe`, 'Connection: close'), 400],
    ['a malformed Accept', () => head('GET', `${path}/a`, 'Accept: ;;;,/,q=', 'Connection: close'), 406],
    [
      'two tokens, the first of them wrong',
      () =>
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer no\r\nAuthorization: Bearer ${server.token}\r\n\r\n`,
      401,
    ],
  ])('with %s is refused', async (_, bytes, status) => {
    const text = await exchange(server, bytes());
    expect(text.slice(0, 13)).toBe(`HTTP/1.1 ${status} `);
  });

  it.each([
    ['an absolute URL', (target: string) => head('GET', `https://elsewhere.example${target}`, 'Connection: close')],
    ['a slash at the end', (target: string) => head('GET', `${target}/`, 'Connection: close')],
    ['a header of 30 KiB', (target: string) => head('GET', target, `X-A: ${'a'.repeat(30_000)}`, 'Connection: close')],
  ])('with %s is served', async (_, bytes) => {
    expect(await exchange(server, bytes(`${path}/a`))).toMatch(/^HTTP\/1.1 200 OK/);
  });
});

describe('a connection without TLS', () => {
  it.each(['GET', 'HEAD', 'POST', 'PUT'])('that begins with %s is told so', async (method) => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    socket.write(`${method} /version HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await text(socket)).toBe(
      'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
    );
  });

  it.each(['\x16\x03\x01\x00\x00', 'CONNECT a:1 HTTP/1.1\r\n\r\n', 'nonsense\r\n\r\n', 'GET'])(
    'that begins with %j harms nobody',
    async (bytes) => {
      const socket = connect(server.port, '127.0.0.1').on('error', () => {});
      socket.end(bytes);
      await once(socket.resume(), 'close');
    },
  );
});

describe('hostile bodies for a parser', () => {
  const yaml = { 'Content-Type': 'application/yaml' };
  const lol = ['a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]'];
  for (const name of 'bcdefghi') {
    const before = String.fromCharCode(name.charCodeAt(0) - 1);
    lol.push(`${name}: &${name} [${new Array(9).fill(`*${before}`).join(', ')}]`);
  }
  it.each([
    ['nested arrays', '['.repeat(mebibyte), {}],
    ['nested objects', '{"a":'.repeat(300_000), {}],
    ['a prototype', '{"__proto__":{"polluted":true}}', {}],
    ['a disguised prototype', '{"\\u005f_proto__":{"polluted":true}}', {}],
    ['an array as an alias bomb', lol.join('\n'), yaml],
    ['an alias of itself', 'a: &a [*a]', yaml],
    ['nested YAML', '['.repeat(mebibyte), yaml],
    ['a YAML prototype', '__proto__: {polluted: true}', yaml],
    ['a YAML tag', 'a: !!js/function "function () {}"', yaml],
    ['bytes', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), {}],
    ['a NUL', '{"a":\0}', {}],
  ])('%s is a Status', async (_, body, headers) => {
    const { status, text } = await ask(server, path, { method: 'POST', body, headers });
    expect([status, (JSON.parse(text) as { reason: string }).reason]).toEqual([400, 'BadRequest']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
