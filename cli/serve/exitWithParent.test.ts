// Tests `--exit-with-parent`: a parent that is killed leaves nothing behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { TestCluster } from '../testing/cluster.js';
import { main } from '../testing/serving.js';

let folder: string;
const started: { readonly parent: ChildProcess; readonly over: Promise<unknown> }[] = [];
const clusters: TestCluster[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exit-with-parent-'));
  mkdirSync(join(folder, 'tmp'));
});
afterEach(async () => {
  for (const { parent } of started) parent.kill('SIGKILL');
  await Promise.all(started.splice(0).map(({ over }) => over));
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
  rmSync(folder, { recursive: true, force: true });
});

/** A process that starts a command and does nothing else. */
const parentScript = `
  const [, command, ...args] = process.argv;
  require('node:child_process').spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  setInterval(() => {}, 1e6);`;

/**
 * Starts a parent that starts a command with /dev/null as standard input. `over` resolves when both have ended: only
 * these two hold the pipe.
 */
function startParent(command: string, ...args: readonly string[]) {
  const parent = spawn(process.execPath, ['-e', parentScript, command, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: folder,
    env: { ...process.env, TMPDIR: join(folder, 'tmp') },
  });
  const ready = once(parent.stdout, 'data').then(([line]) => String(line));
  const over = once(parent.stdout.resume(), 'close');
  started.push({ parent, over });
  return { parent, ready, over };
}

/** Returns calls to the server of a kubeconfig. */
function clusterOf(kubeconfig: string): TestCluster {
  const cluster = new TestCluster();
  clusters.push(cluster);
  const config = load(readFileSync(kubeconfig, 'utf8')) as AnyShape;
  const ca = join(cluster.folder, 'ca.crt');
  writeFileSync(ca, Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64'));
  cluster.use({ url: config.clusters[0].cluster.server, ca, token: config.users[0].user.token });
  return cluster;
}

const serve = ['serve', '--exit-with-parent', '--write-kubeconfig', 'kubeconfig'];

it('ends the server in order when its parent is killed, and not before', async () => {
  const data = ['--data-dir', join(folder, 'data')];
  const kept = startParent(process.execPath, main, ...serve, ...data);
  const other = startParent(process.execPath, main, 'serve', '--nodes', '0', '--exit-with-parent');
  await Promise.all([kept.ready, other.ready]);
  other.parent.kill('SIGKILL');
  await other.over;
  const before = clusterOf(join(folder, 'kubeconfig'));
  const body = { metadata: { name: 'kept' }, data: { a: 'b' } };
  expect((await before.call('POST', '/api/v1/namespaces/default/configmaps', body)).status).toBe(200);
  await before.until('/api/v1/nodes/node-1', (node) => node !== undefined);
  kept.parent.kill('SIGKILL');
  await kept.over;
  // A server that is killed leaves the socket to its nodes.
  expect(readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('kube-api-conformance-'))).toEqual([]);

  const again = startParent(process.execPath, main, ...serve, ...data);
  await again.ready;
  const after = clusterOf(join(folder, 'kubeconfig'));
  expect((await after.call('GET', '/api/v1/namespaces/default/configmaps/kept')).json.data).toEqual({ a: 'b' });
});

it('ends a server that restarts after a crash, with its supervisor', async () => {
  const crash = ['--crash-on', 'DELETE /api/v1/nodes/*', '--restart-after', '600'];
  const { parent, ready, over } = startParent(process.execPath, main, ...serve, ...crash);
  await ready;
  parent.kill('SIGKILL');
  await over;
});

it.skipIf(process.platform !== 'linux')('below npx, the parent is what started npx', async () => {
  const bin = join(folder, 'node_modules', '.bin', 'kube-api-conformance');
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(bin, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(bin, 0o755);
  const { parent, ready, over } = startParent('npx', '--no', 'kube-api-conformance', ...serve, '--nodes', '0');
  expect(await ready).toMatch(/^serving https:/);
  parent.kill('SIGKILL');
  await over;
});

it('ends a node agent too, also before it has reached a server', async () => {
  const socket = join(folder, 'egress.sock');
  const access = ['--url', 'https://127.0.0.1:1', '--token', 't', '--egress-socket', socket];
  const { parent, over } = startParent(process.execPath, main, 'node-agent', '--exit-with-parent', ...access);
  await expect.poll(() => readdirSync(folder)).toContain('egress.sock');
  parent.kill('SIGKILL');
  await over;
  expect(readdirSync(folder)).not.toContain('egress.sock');
});
