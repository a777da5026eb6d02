// `serve` with its nodes, as users have it: pods run, and can be asked, through the server alone.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestCluster } from './testing/cluster.js';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const [kubectlCommand = 'kubectl'] = (process.env.KUBECTL ?? 'kubectl').split(':');
const hasKubectl = spawnSync(kubectlCommand, ['version', '--client']).status === 0;
if (!hasKubectl) console.log('not run: KUBECTL names no kubectl');

const pods = '/api/v1/namespaces/default/pods';
const running = new Set<ChildProcess>();
const opened: TestCluster[] = [];
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  for (const cluster of opened) await cluster.close();
});

/** Starts the command; resolves when it says that it is ready. */
async function serve(...options: readonly string[]) {
  const cluster = new TestCluster();
  opened.push(cluster);
  const kubeconfig = join(cluster.folder, 'kubeconfig');
  const child = spawn(process.execPath, [main, 'serve', '--write-kubeconfig', kubeconfig, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  await once(child.stdout, 'data');
  // biome-ignore lint/suspicious/noExplicitAny: a kubeconfig that the program has just written
  const config = load(readFileSync(kubeconfig, 'utf8')) as any;
  const ca = join(cluster.folder, 'ca.crt');
  writeFileSync(ca, Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64'));
  cluster.use({ url: config.clusters[0].cluster.server, ca, token: config.users[0].user.token });
  return { cluster, child, kubeconfig };
}

const isThere = (object: unknown) => object !== undefined;

it('has as many nodes as are wanted, and runs pods on all of them', async () => {
  const { cluster, child } = await serve('--nodes', '2');
  for (const name of ['node-1', 'node-2']) await cluster.until(`/api/v1/nodes/${name}`, isThere);
  const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] };
  const paths = await Promise.all(['a', 'b'].map((name) => cluster.createPod(name, spec)));
  const ended = await Promise.all(paths.map((path) => cluster.untilPhase(path, 'Succeeded')));
  expect(new Set(ended.map((pod) => pod.spec.nodeName))).toEqual(new Set(['node-1', 'node-2']));
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
});

it.each([
  [['--nodes', 'many'], 'serve: --nodes: "many"'],
  [['--nodes', '1', '--egress-proxy', '/x.sock'], 'leave out --nodes or --egress-proxy'],
  [['--kubelet-client-certificate', '/x.crt'], '--kubelet-client-key is missing'],
  [['--kubelet-certificate-authority', '/nowhere'], '--kubelet-certificate-authority: ENOENT'],
])('refuses %s in one line', async (options, message) => {
  const failed = promisify(execFile)(process.execPath, [main, 'serve', ...options]);
  const { code, stderr } = (await failed.catch((error) => error)) as { code: number; stderr: string };
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^[^\n]+\n$/)]);
  expect(stderr).toContain(message);
});

it('has none where somebody else has the way to them', async () => {
  const { cluster } = await serve('--egress-proxy', '/nowhere.sock');
  await cluster.call('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
  const { json } = await cluster.call('GET', '/api/v1/nodes');
  expect(json.items.map((node: { metadata: { name: string } }) => node.metadata.name)).toEqual(['n']);
});

describe('with one node, as it comes', () => {
  let cluster: TestCluster;
  let kubeconfig: string;
  beforeAll(async () => {
    ({ cluster, kubeconfig } = await serve());
    const echo = { name: 'c', image: 'http-echo', args: ['--port', '8080', '--tls-port', '8443'] };
    await cluster.createPod('echo', { containers: [echo] });
    await cluster.createPod('shell', { containers: [{ name: 'c', image: 'pause' }] });
    for (const name of ['echo', 'shell']) await cluster.untilPhase(`${pods}/${name}`, 'Running');
  });

  it('relays logs, which end with the container', async () => {
    const args = ['-3600s=old', '+0s=now', '+0.5s=later'];
    const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'log-generator', args }] };
    const path = await cluster.createPod('log', spec);
    await cluster.until(path, (pod) => ['Running', 'Succeeded'].includes(pod?.status?.phase));
    expect((await cluster.call('GET', `${path}/log?follow=true`)).text).toBe('old\nnow\nlater\n');
    expect((await cluster.call('GET', `${path}/log?sinceSeconds=60`)).text).toBe('now\nlater\n');
    expect((await cluster.call('GET', `${path}/log?tailLines=1&timestamps=true`)).text).toMatch(/^\S{29}Z later\n$/);
    const previous = await cluster.call('GET', `${path}/log?previous=true`);
    expect(previous.status).toBe(400);
    expect(previous.json.message).toContain('previous terminated container "c" in pod "log" not found');
  });

  it.each([
    [`${pods}/echo:8080/proxy/a/b/?x=1`, '/a/b/'],
    [`${pods}/https:echo:8443/proxy/tls`, '/tls'],
    ['/api/v1/proxy/namespaces/default/pods/echo:8080/old/', '/old/'],
  ])('proxies %s', async (path, reached) => {
    const { status, json } = await cluster.call('GET', path);
    expect(status).toBe(200);
    expect(json).toMatchObject({ method: 'GET', path: reached });
    expect(JSON.stringify(json.headers)).not.toContain(cluster.facts.token);
  });

  it("proxies to the node's kubelet", async () => {
    expect((await cluster.call('GET', '/api/v1/nodes/node-1/proxy/healthz')).text).toBe('ok');
  });

  it('tells that nobody listens', async () => {
    expect((await cluster.call('GET', `${pods}/echo:81/proxy/`)).status).toBe(503);
  });

  describe.skipIf(!hasKubectl)('kubectl', () => {
    const start = (args: readonly string[]) =>
      spawn(kubectlCommand, ['--kubeconfig', kubeconfig, ...args], { stdio: 'pipe' });

    /** Runs kubectl to its end. */
    async function kubectl(args: readonly string[], stdin: Buffer | string = '') {
      const child = start(args);
      child.stdin.on('error', () => {}).end(stdin);
      const [stdout, stderr, [code]] = await Promise.all([
        buffer(child.stdout),
        text(child.stderr),
        once(child, 'close') as Promise<[number]>,
      ]);
      return { code, stdout, stderr };
    }

    it('run -i: streams, and the exit code of the pod', async () => {
      const run = ['run', 'once', '--rm', '-i', '--restart=Never', '--image=busybox', '--', 'sh', '-c', 'cat; exit 3'];
      const { code, stdout } = await kubectl(run, 'typed\n');
      expect([code, String(stdout)]).toEqual([3, expect.stringContaining('typed\n')]);
    });

    it('logs -f: to the end of the container', async () => {
      const lines = ['+0s=one', '+0.2s=two', '+0.4s=three'];
      await kubectl(['run', 'said', '--restart=Never', '--image=log-generator', '--', ...lines]);
      await cluster.until(`${pods}/said`, (pod) => ['Running', 'Succeeded'].includes(pod?.status?.phase));
      const { code, stdout } = await kubectl(['logs', '-f', 'said']);
      expect([code, String(stdout)]).toEqual([0, 'one\ntwo\nthree\n']);
    });

    it('exec: the streams and the exit code come back', async () => {
      const { code, stdout, stderr } = await kubectl([
        'exec',
        'shell',
        '--',
        'sh',
        '-c',
        'echo out; echo err >&2; exit 7',
      ]);
      expect([code, String(stdout), stderr]).toEqual([7, 'out\n', expect.stringMatching(/^err\n/)]);
    });

    it('exec -i: three megabytes there and back', async () => {
      const content = randomBytes(3_000_000);
      const { code, stdout } = await kubectl(['exec', '-i', 'shell', '--', 'cat'], content);
      expect([code, stdout.equals(content)]).toEqual([0, true]);
    });

    it('attach -i: to the program that runs', async () => {
      const command = ['sh', '-c', 'read line; echo "heard $line"'];
      const container = { name: 'c', image: 'busybox', stdin: true, stdinOnce: true, command };
      const path = await cluster.createPod('listens', { restartPolicy: 'Never', containers: [container] });
      await cluster.untilPhase(path, 'Running');
      const { stdout } = await kubectl(['attach', '-i', 'listens'], 'something\n');
      expect(String(stdout)).toContain('heard something\n');
      await cluster.untilPhase(path, 'Succeeded');
    });

    it('cp: both ways', async () => {
      const content = randomBytes(300_000);
      const [there, back] = [join(cluster.folder, 'there'), join(cluster.folder, 'back')];
      await writeFile(there, content);
      expect(await kubectl(['cp', there, 'shell:/tmp/copied'])).toMatchObject({ code: 0 });
      expect(await kubectl(['cp', 'shell:/tmp/copied', back])).toMatchObject({ code: 0 });
      expect(readFileSync(back).equals(content)).toBe(true);
    });

    it.each([
      ['port-forward', ['port-forward', 'pod/echo', ':8080'], '', '/forwarded'],
      ['proxy', ['proxy', '--port=0'], `${pods}/echo:8080/proxy`, '/forwarded'],
    ])('%s: bytes through it', async (_, args, prefix, path) => {
      const child = start(args);
      try {
        const [line] = (await once(child.stdout, 'data')) as [Buffer];
        const [, port] = /127\.0\.0\.1:(\d+)/.exec(String(line)) ?? [];
        const sent = { method: 'POST', body: 'x'.repeat(100_000) };
        const reply = await fetch(`http://127.0.0.1:${port}${prefix}${path}`, sent);
        expect(await reply.json()).toMatchObject({ method: 'POST', path, bytes: 100_000 });
      } finally {
        child.kill();
      }
    });
  });
});
