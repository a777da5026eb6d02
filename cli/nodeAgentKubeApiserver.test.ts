// The node agent beside a real kube-apiserver, which reaches the node and its pods through the CONNECT proxy only.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { writeKubeconfig } from './kubeconfig.js';
import { type RunFixtures, startFixtures } from './runFixtures.js';
import { TestCluster } from './testing/cluster.js';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const assets = process.env.KUBEBUILDER_ASSETS;
const [program = 'kubectl'] = (process.env.KUBECTL ?? 'kubectl').split(':');
const hasKubectl = spawnSync(program, ['version', '--client']).status === 0;
if (!hasKubectl) console.log('not run: KUBECTL names no kubectl');
if (assets === undefined) console.log('not run: KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver');

const call = (...options: readonly string[]) => promisify(execFile)(process.execPath, [main, ...options]);
const pods = '/api/v1/namespaces/default/pods';

describe.skipIf(assets === undefined)('kube-apiserver with the node agent', () => {
  const cluster = new TestCluster();
  let fixtures: RunFixtures;
  let state: string;

  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), 'kube-apiserver-'));
    fixtures = await startFixtures(undefined, 'k8s.io');
    const egress = ['--egress-socket', cluster.egressSocket];
    const { stdout } = await call('envtest', 'start', '--state', state, '--fixtures', fixtures.directory, ...egress);
    const facts = Object.fromEntries(stdout.split('\n').map((line) => line.split(/: (.*)/s)));
    cluster.use({ url: facts.url, ca: facts.ca, token: facts.token });
    await cluster.startAgent();
    await cluster.createPod('echo', {
      containers: [{ name: 'c', image: 'http-echo', args: ['--port', '8080', '--tls-port', '8443'] }],
    });
    await cluster.createPod('shell', { containers: [{ name: 'c', image: 'pause' }] });
    await cluster.createPod('host', {
      hostNetwork: true,
      containers: [{ name: 'c', image: 'http-echo', args: ['--port', '9090'] }],
    });
    for (const name of ['echo', 'shell', 'host']) await cluster.untilPhase(`${pods}/${name}`, 'Running');
  });
  afterAll(async () => {
    await cluster.close();
    await call('envtest', 'stop', '--state', state);
    await fixtures?.close();
    await rm(state, { recursive: true, force: true });
  });

  it('relays logs, which end with the container', async () => {
    const args = ['-3600s=old', '+0s=now', '+0.5s=later'];
    const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'log-generator', args }] };
    const path = await cluster.createPod('log', spec);
    await cluster.until(path, (pod) => pod?.status?.containerStatuses?.[0].state.waiting === undefined);
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
    ['/api/v1/nodes/node-1:9090/proxy/on/the/node', '/on/the/node'],
    ['/api/v1/namespaces/default/services/echo:web/proxy/service', '/service'],
  ])('proxies %s', async (path, reached) => {
    if (path.includes('/services/')) await createService();
    const { status, json } = await cluster.call('GET', path);
    expect(status).toBe(200);
    expect(json).toMatchObject({ method: 'GET', path: reached });
    expect(JSON.stringify(json.headers)).not.toContain(cluster.facts.token);
  });

  async function createService(): Promise<void> {
    const { json } = await cluster.call('GET', `${pods}/echo`);
    const metadata = { name: 'echo' };
    const ports = [{ name: 'web', port: 8080 }];
    const targetRef = { kind: 'Pod', namespace: 'default', name: 'echo' };
    const subsets = [{ addresses: [{ ip: json.status.podIP, targetRef }], ports }];
    await cluster.call('POST', '/api/v1/namespaces/default/services', { kind: 'Service', metadata, spec: { ports } });
    await cluster.call('POST', '/api/v1/namespaces/default/endpoints', { kind: 'Endpoints', metadata, subsets });
  }

  it("proxies to the node's kubelet", async () => {
    expect((await cluster.call('GET', '/api/v1/nodes/node-1/proxy/healthz')).text).toBe('ok');
  });

  it('tells that nobody listens', async () => {
    const reply = await cluster.call('GET', `${pods}/echo:81/proxy/`);
    expect(reply.status).toBeGreaterThanOrEqual(500);
  });

  /** Runs a command; what comes on each channel of the WebSocket. */
  async function exec(pod: string, command: readonly string[], stdin?: Buffer): Promise<Record<number, string>> {
    const query = new URLSearchParams({ stdout: '1', stderr: '1' });
    for (const word of command) query.append('command', word);
    if (stdin !== undefined) query.set('stdin', '1');
    const socket = new WebSocket(`${cluster.facts.url}${pods}/${pod}/exec?${query}`, 'v4.channel.k8s.io', {
      ca: await readFile(cluster.facts.ca),
      headers: { authorization: `Bearer ${cluster.facts.token}` },
    });
    const channels: Record<number, string> = {};
    socket.on('message', (data: Buffer) => {
      const channel = data[0] ?? 0;
      channels[channel] = (channels[channel] ?? '') + data.toString('utf8', 1);
    });
    await once(socket, 'open');
    for (let at = 0; stdin !== undefined && at < stdin.length; at += 30_000) {
      socket.send(Buffer.concat([Buffer.of(0), stdin.subarray(at, at + 30_000)]));
    }
    await once(socket, 'close');
    return channels;
  }

  it('runs commands in containers', async () => {
    const channels = await exec('shell', ['sh', '-c', 'echo out; echo err >&2; exit 7']);
    expect(channels).toMatchObject({ 1: 'out\n', 2: 'err\n' });
    expect(JSON.parse(channels[3] ?? '')).toMatchObject({
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '7' }] },
    });
  });

  it('carries three megabytes of standard input', async () => {
    const channels = await exec('shell', ['sh', '-c', 'head -c 3000000 | wc -c'], Buffer.alloc(3_000_000, 'x'));
    expect(channels[1]).toBe('3000000\n');
    expect(JSON.parse(channels[3] ?? '')).toMatchObject({ status: 'Success' });
  });

  it('has init containers, projected volumes and tokens that the API accepts', async () => {
    const account = { kind: 'ServiceAccount', metadata: { name: 'robot' } };
    await cluster.call('POST', '/api/v1/namespaces/default/serviceaccounts', account);
    const mount = (name: string) => ({ name, mountPath: `/${name}` });
    const path = await cluster.createPod('rich', {
      restartPolicy: 'Never',
      serviceAccountName: 'robot',
      volumes: [
        { name: 'scratch', emptyDir: {} },
        {
          name: 'all',
          projected: {
            sources: [
              { serviceAccountToken: { path: 'token' } },
              { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
            ],
          },
        },
      ],
      initContainers: [
        {
          name: 'init',
          image: 'busybox',
          command: ['sh', '-c', 'echo made > /scratch/x'],
          volumeMounts: [mount('scratch')],
        },
      ],
      containers: [
        {
          name: 'c',
          image: 'busybox',
          command: ['sh', '-c', 'cat /scratch/x /all/name; echo; cat /all/token'],
          volumeMounts: [mount('scratch'), mount('all')],
        },
      ],
    });
    await cluster.untilPhase(path, 'Succeeded');
    const [made, name, token] = (await cluster.call('GET', `${path}/log`)).text.split('\n');
    expect([made, name]).toEqual(['made', 'rich']);
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    const { json } = await cluster.call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review);
    expect(json.status).toMatchObject({
      authenticated: true,
      user: { username: 'system:serviceaccount:default:robot' },
    });
  });

  describe.skipIf(!hasKubectl)('kubectl', () => {
    let kubeconfig: string;
    beforeAll(async () => {
      kubeconfig = join(cluster.folder, 'kubeconfig');
      const { url, ca, token } = cluster.facts;
      await writeKubeconfig(kubeconfig, { url, caCertificate: await readFile(ca, 'utf8'), token });
    });

    /** Runs kubectl to its end. */
    async function kubectl(args: readonly string[], stdin: Buffer | string = '') {
      const child = spawn(program, ['--kubeconfig', kubeconfig, ...args], { stdio: 'pipe' });
      child.stdin.on('error', () => {}).end(stdin);
      const [stdout, stderr, [code]] = await Promise.all([
        buffer(child.stdout),
        text(child.stderr),
        once(child, 'close') as Promise<[number]>,
      ]);
      return { code, stdout, stderr };
    }

    it('exec: the exit code comes back', async () => {
      const { code, stdout } = await kubectl(['exec', 'shell', '--', 'sh', '-c', 'echo out; exit 7']);
      expect([code, String(stdout)]).toEqual([7, 'out\n']);
    });

    it('exec -i: three megabytes there and back', async () => {
      const content = randomBytes(3_000_000);
      const { code, stdout } = await kubectl(['exec', '-i', 'shell', '--', 'cat'], content);
      expect([code, stdout.equals(content)]).toEqual([0, true]);
    });

    it('cp: both ways', async () => {
      const content = randomBytes(300_000);
      const [there, back] = [join(cluster.folder, 'there'), join(cluster.folder, 'back')];
      await writeFile(there, content);
      expect(await kubectl(['cp', there, 'shell:/tmp/copied'])).toMatchObject({ code: 0 });
      expect(await kubectl(['cp', 'shell:/tmp/copied', back])).toMatchObject({ code: 0 });
      expect((await readFile(back)).equals(content)).toBe(true);
    });

    it('run -i: streams, and the exit code of the pod', async () => {
      const run = ['run', 'once', '--rm', '-i', '--restart=Never', '--image=busybox', '--', 'sh', '-c', 'cat; exit 3'];
      const { code, stdout } = await kubectl(run, 'typed\n');
      expect(code).toBe(3);
      expect(String(stdout)).toContain('typed\n');
    });

    it('port-forward: bytes through it', async () => {
      const child = spawn(program, ['--kubeconfig', kubeconfig, 'port-forward', 'pod/echo', ':8080'], {
        stdio: 'pipe',
      });
      try {
        const [line] = (await once(child.stdout, 'data')) as [Buffer];
        const [, port] = /127\.0\.0\.1:(\d+)/.exec(String(line)) ?? [];
        const reply = await fetch(`http://127.0.0.1:${port}/forwarded`, { method: 'POST', body: 'x'.repeat(100_000) });
        expect(await reply.json()).toMatchObject({ method: 'POST', path: '/forwarded', bytes: 100_000 });
      } finally {
        child.kill();
      }
    });
  });

  it('ends a pod gracefully', async () => {
    const path = `${pods}/shell`;
    await cluster.call('DELETE', path);
    await cluster.until(path, (pod) => pod === undefined);
  });
});
