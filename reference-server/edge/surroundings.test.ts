import { describe, expect, it } from 'vitest';
import { startServer } from '../server.js';
import { ask, exchange } from '../testing/standIn.js';
import { readSurroundings } from './surroundings.js';

describe('a base path', () => {
  it('has the whole API below it, and nothing elsewhere', async () => {
    await using server = await startServer({ basePath: '/k8s/c1/' });
    expect(server.url).toBe(`https://127.0.0.1:${server.port}/k8s/c1`);
    const statusOf = async (path: string) => (await ask(server, path)).status;
    expect(await statusOf('/k8s/c1/api/v1/namespaces?limit=1')).toBe(200);
    expect(await statusOf('/k8s/c1')).toBe(200);
    expect(await statusOf('/k8s/c1?x=1')).toBe(200);
    for (const path of ['/', '/api/v1', '/k8s/c', '/k8s/c10/api/v1', '/k8s']) expect(await statusOf(path)).toBe(404);
    expect((await ask(server, '/k8s/c1/api', { anonymous: true })).status).toBe(401);
  });

  it('counts in an absolute request target and in an upgrade too', async () => {
    await using server = await startServer({ basePath: '/k8s/c1' });
    const head = `Host: x\r\nAuthorization: Bearer ${server.token}\r\n`;
    const absolute = `GET https://x/k8s/c1/api/v1 HTTP/1.1\r\n${head}Connection: close\r\n\r\n`;
    expect(await exchange(server, absolute)).toMatch(/^HTTP\/1.1 200/);
    const upgrade = `${head}Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n`;
    const attach = '/api/v1/namespaces/default/pods/none/exec';
    expect(await exchange(server, `POST /k8s/c1${attach} HTTP/1.1\r\n${upgrade}`)).toContain(
      'pods \\"none\\" not found',
    );
    expect(await exchange(server, `POST ${attach} HTTP/1.1\r\n${upgrade}`)).toMatch(/^HTTP\/1.1 404 .*text\/plain/s);
  });
});

describe('a latency', () => {
  it('is before every answer', async () => {
    await using server = await startServer({ latency: 300 });
    const started = performance.now();
    expect((await ask(server, '/api/v1')).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(299);
  });
});

describe('a request to crash on', () => {
  it.each([
    ['PUT /api/v1/namespaces/*/configmaps/*', 'PUT', '/api/v1/namespaces/a/configmaps/b', true],
    ['PUT /api/v1/namespaces/*/configmaps/*', 'GET', '/api/v1/namespaces/a/configmaps/b', false],
    ['PUT /api/v1/namespaces/*/configmaps/*', 'PUT', '/api/v1/namespaces/a/configmaps/b/c', false],
    ['* /api/v1/nodes', 'DELETE', '/api/v1/nodes', true],
    ['GET /a.b', 'GET', '/aXb', false],
    ['GET /api/v1/*/a-*', 'GET', '/api/v1/nodes/a-1', true],
  ])('%s: %s %s', (crashOn, method, path, crashes) => {
    expect(readSurroundings({ crashOn }).crashes(method, path)).toBe(crashes);
  });
});

it.each([
  [{ latency: -1 }, '--latency: -1 is no number of milliseconds from 0 to 10000'],
  [{ latency: 10_001 }, '--latency: 10001'],
  [{ latency: 0.5 }, '--latency: 0.5'],
  [{ basePath: 'k8s' }, '--base-path: "k8s" is no path; write it as /k8s/c1'],
  [{ basePath: '/a//b' }, '--base-path: "/a//b"'],
  [{ basePath: '/a?b' }, '--base-path: "/a?b"'],
  [{ crashOn: 'PUT' }, '--crash-on: "PUT" is not understood'],
  [{ crashOn: 'put /a' }, '--crash-on: "put /a"'],
])('refuses %o', (options, message) => {
  expect(() => readSurroundings(options)).toThrow(message);
});
