import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { main, startServing } from '../testing/serving.js';

const folder = mkdtempSync(join(tmpdir(), 'kinds-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('serve', () => {
  it.each([
    [['--without', 'limit,nonsense'], 'serve: --without: there is no feature nonsense; there are dry-run, limit,'],
    [['--without', 'bookmark'], 'serve: --without: there is no feature bookmark; did you mean bookmarks?'],
    [['--kube-version', 'v1.36.2'], 'serve: --kube-version: "v1.36.2" is not a version; write it as 1.36'],
    [
      ['--authorization-mode', 'ABAC'],
      'serve: --authorization-mode: there is no mode ABAC; did you mean RBAC? There are AlwaysAllow, RBAC',
    ],
    [['--latency', 'long'], 'serve: --latency: "long"; give a whole number from 0 to 10000'],
    [['--base-path', 'c1'], 'serve: --base-path: "c1" is not a path; write it as /k8s/c1'],
    [['--crash-on', 'PUT'], 'serve: --crash-on: "PUT" is not understood'],
    [['--restart-after', '1'], 'serve: --restart-after requires --crash-on, which is missing'],
    [['--restart-after', '1', '--crash-on', 'PUT'], 'serve: --crash-on: "PUT" is not understood'],
  ])('refuses %j in one line', async (options, message) => {
    const child = spawn(process.execPath, [main, 'serve', ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
    const said = (await child.stderr.toArray()).join('');
    if (child.exitCode === null) await once(child, 'close');
    expect(child.exitCode).toBe(2);
    expect(said).toMatch(/^[^\n]+\n$/);
    expect(said).toContain(message);
  });

  it('ends with 70 on the request of --crash-on', async () => {
    const { child, cluster, stop } = await startServing('--nodes', '0', '--crash-on', 'GET /api/v1/nodes/*');
    const ended = once(child, 'exit');
    await expect(cluster.call('GET', '/api/v1/nodes/a')).rejects.toThrow();
    expect((await ended)[0]).toBe(70);
    await stop();
  });

  it('is restarted once: same address, certificate, token and data', async () => {
    const crash = ['--crash-on', 'PUT /api/v1/namespaces/*/configmaps/*', '--restart-after=0'];
    const { child, cluster, stop } = await startServing('--data-dir', join(folder, 'data'), '--nodes', '0', ...crash);
    const configs = '/api/v1/namespaces/default/configmaps';
    await cluster.call('POST', configs, { metadata: { name: 'a' } });
    const put = () => cluster.call('PUT', `${configs}/a`, { metadata: { name: 'a' }, data: { b: 'c' } });
    await expect(put()).rejects.toThrow();
    await expect
      .poll(() => put().catch(() => undefined), { interval: 100 })
      .toMatchObject({ status: 200, json: { data: { b: 'c' } } });
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    await stop();
  });
});
