import { describe, expect, it } from 'vitest';
import { startServer } from '../server.js';
import { ask, exchange } from '../testing/standIn.js';
import { readBasePath } from './basePath.js';

describe('a base path', () => {
  it('is the prefix of the whole API', async () => {
    await using server = await startServer({ basePath: '/k8s/c1/' });
    expect(server.url).toBe(`https://127.0.0.1:${server.port}/k8s/c1`);
    const statusOf = async (path: string) => (await ask(server, path)).status;
    expect(await statusOf('/k8s/c1/api/v1/namespaces?limit=1')).toBe(200);
    expect(await statusOf('/k8s/c1')).toBe(200);
    expect(await statusOf('/k8s/c1?x=1')).toBe(200);
    for (const path of ['/', '/api/v1', '/k8s/c', '/k8s/c10/api/v1', '/k8s']) expect(await statusOf(path)).toBe(404);
    expect((await ask(server, '/k8s/c1/api', { anonymous: true })).status).toBe(401);
  });

  it('applies to absolute request targets and upgrades', async () => {
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

it.each(['k8s', '/a//b', '/a?b', '/a/../b', '/.'])('refuses %s', (path) => {
  expect(() => readBasePath(path)).toThrow(`--base-path: "${path}" is not a path; write it as /k8s/c1`);
});
