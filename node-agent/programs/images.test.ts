// Tests the images: their entrypoints with a command and arguments, and their own programs.
import { once } from 'node:events';
import { type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { sigterm } from '../kernel/process.js';
import { TestContainer } from '../testing/container.js';
import { entrypointOf } from './images.js';

const name = (image: string, command: readonly string[], args: readonly string[]) =>
  entrypointOf(image, command, args).argv;

describe('the entrypoint of a container', () => {
  test.each([
    ['busybox', ['echo', 'a'], ['b'], ['echo', 'a', 'b']],
    ['busybox', [], ['echo', 'b'], ['echo', 'b']],
    ['busybox:1.36', [], [], ['sh']],
    ['registry:5000/any/http-echo:1@sha256:0', [], ['--port', '1'], ['http-echo', '--port', '1']],
    ['http-echo', ['sh'], [], ['sh']],
    ['registry:5000/e2e/agnhost:2', [], ['pause'], ['/agnhost', 'pause']],
    ['agnhost', ['/agnhost-2'], ['entrypoint-tester'], ['/agnhost-2', 'entrypoint-tester']],
    ['nginx', [], [], ['nginx']],
    ['', [], [], ['']],
  ] as const)('%s %j %j', (image, command, args, argv) => {
    expect(name(image, command, args)).toEqual(argv);
    expect(entrypointOf(image, command, args).program).toBeDefined();
  });

  test('a program that does not exist', () => {
    expect(entrypointOf('busybox', ['nosuch'], []).program).toBeUndefined();
    expect(entrypointOf('http-echo', ['http-echo'], []).program).toBeUndefined();
    expect(entrypointOf('x', ['./sh'], []).program).toBeUndefined();
  });
});

describe('agnhost', () => {
  test('writes what is at a path', async () => {
    const container = new TestContainer();
    container.files.makeDirectory('/v');
    container.files.write('/v/a', 'text', 0o440);
    container.files.makeDirectory('/m').isInMemory = true;
    const flags = ['--file_content=/v/a', '--file_mode=/v/a', '--file_perm=/v/a', '--file_owner=/v/a', '--fs_type=/m'];
    expect(await container.run(['mounttest', ...flags], {}, 'agnhost')).toMatchObject({
      code: 0,
      stdout:
        'mount type of "/m": tmpfs\nmode of file "/v/a": -r--r-----\nperms of file "/v/a": -r--r-----\n' +
        'owner UID of "/v/a": 0\nowner GID of "/v/a": 0\ncontent of file "/v/a": text\n',
    });
    const made = await container.run(['mounttest', '--new_file_0777=/m/b', '--file_perm=/m/b'], {}, 'agnhost');
    expect(made.stdout).toBe('content of file "/m/b": mount-tester new file\n\nperms of file "/m/b": -rwxrwxrwx\n');
    expect(await container.run(['mounttest', '--file_content=/none'], {}, 'agnhost')).toMatchObject({ code: 1 });
  });

  test('writes its arguments', async () => {
    const { stdout } = await new TestContainer().run(['entrypoint-tester', 'a', 'b'], {}, 'agnhost');
    expect(stdout).toBe('[/agnhost entrypoint-tester a b]\n');
  });

  test('logs-generator writes so many lines, and takes its time', async () => {
    const container = new TestContainer();
    const args = ['logs-generator', '--log-lines-total', '3', '-run-duration=30ms'];
    const { code, stderr } = await container.run(args, {}, 'agnhost');
    const line = (index: number) =>
      `I\\d{4} [\\d:.]{15} +1 logs_generator.go:76\\] ${index} (GET|POST|PUT) /api/v1/namespaces/\\S+ \\d{3}\n`;
    expect([code, stderr]).toEqual([0, expect.stringMatching(new RegExp(`^${[0, 1, 2].map(line).join('')}$`))]);
    expect(await container.run(['logs-generator'], {}, 'agnhost')).toMatchObject({ code: 2 });
    const wrong = ['logs-generator', '--log-lines-total', '3', '--run-duration', '3x'];
    expect((await container.run(wrong, {}, 'agnhost')).stderr).toContain('"3x" is not a duration');
  });

  test.each([['fake-gitserver'], ['mounttest', '--nosuch=/a']])('says what is not simulated: %s', async (...args) => {
    const { code, stderr } = await new TestContainer().run(args, {}, 'agnhost');
    expect([code, stderr]).toEqual([2, expect.stringContaining('not simulated')]);
  });
});

describe('log-generator', () => {
  test('writes its lines at their times', async () => {
    const container = new TestContainer();
    const before = Date.now();
    const args = ['-90s=old', '2026-01-02T03:04:05.000000006Z=absolute', '+0.01s=new=er'];
    expect(await container.run(args, {}, 'log-generator')).toMatchObject({ code: 0, stdout: '' });
    const [old, absolute, newer] = container.lines;
    expect(old?.line).toBe('old\n');
    expect(old?.time).toBeGreaterThanOrEqual(before - 90_000);
    expect(old?.time).toBeLessThanOrEqual(Date.now() - 90_000);
    expect(absolute).toEqual({ time: Date.parse('2026-01-02T03:04:05Z') + 0.000006, line: 'absolute\n' });
    expect(newer).toEqual({ time: (old?.time ?? 0) + 90_010, line: 'new=er\n' });
  });

  test.each([
    ['noline', 2],
    ['yesterday=x', 1],
  ] as const)('refuses %s', async (argument, code) => {
    const result = await new TestContainer().run([argument], {}, 'log-generator');
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(/^log-generator: /);
  });
});

describe('http-echo', () => {
  let container: TestContainer;
  let stop: AbortController;
  let running: Promise<{ code: number }>;
  beforeEach(async () => {
    container = new TestContainer();
    stop = new AbortController();
    running = container.run(['--port', '8080', '--tls-port', '8443'], { signal: stop.signal }, 'http-echo');
    await expect.poll(() => container.listens(8443)).toBe(true);
  });
  afterEach(async () => {
    stop.abort(sigterm);
    expect((await running).code).toBe(143);
    expect(container.listens(8080)).toBe(false);
  });

  async function call(options: RequestOptions, body?: string) {
    const asked = request({ ...options, createConnection: () => container.connect(8080) as never }).end(body);
    const [response] = await once(asked, 'response');
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  }

  test('answers with the request', async () => {
    const headers = [
      ['X-Two', 'a'],
      ['X-Two', 'b'],
      ['Host', 'h'],
    ] as const;
    const { status, body } = await call(
      { method: 'PUT', path: '/a%2Fb//c/?x=%20&x', headers: headers.flat() as never },
      'bödy',
    );
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      method: 'PUT',
      path: '/a%2Fb//c/',
      query: 'x=%20&x',
      body: 'bödy',
      bytes: 5,
    });
    expect(JSON.parse(body).headers).toEqual(
      expect.arrayContaining([
        ['X-Two', 'a'],
        ['X-Two', 'b'],
      ]),
    );
  });

  test.each([
    ['/status/418', 418, /"path":"\/status\/418"/],
    ['/status/999', 200, /"method":"GET"/],
    ['/redirect/307?to=/x', 307, /^$/],
    ['/headers?x-status=307', 200, /"path":"\/headers"/],
    ['/headers?a%20b=c', 400, /a b/],
    ['/redirect/302?to=%0a', 400, /^Invalid/],
    ['/slow/0.01', 200, /"path":"\/slow\/0.01"/],
    ['/chunks/3', 200, /^chunk 1\nchunk 2\nchunk 3\n$/],
  ] as const)('%s', async (path, status, body) => {
    const reply = await call({ path });
    expect(reply.status).toBe(status);
    expect(reply.body).toMatch(body);
    if (status === 307) expect(reply.headers.location).toBe('/x');
    if (path.startsWith('/headers?x')) expect(reply.headers['x-status']).toBe('307');
  });

  test('returns the messages of a WebSocket', async () => {
    const socket = new WebSocket('ws://pod/any', { createConnection: () => container.connect(8080) as never });
    await once(socket, 'open');
    socket.send('hello');
    expect(String((await once(socket, 'message'))[0])).toBe('hello');
    socket.close();
    await once(socket, 'close');
  });

  test('speaks TLS on the other port', async () => {
    const socket = connectTls({ socket: container.connect(8443), rejectUnauthorized: false });
    socket.write('GET /tls HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 OK.*"path":"\/tls"/s);
  });

  test('a second server cannot listen on the same port', async () => {
    const result = await container.run(['--port', '8080'], {}, 'http-echo');
    expect(result).toMatchObject({ code: 1, stderr: 'http-echo: 8080: address already in use\n' });
  });
});
