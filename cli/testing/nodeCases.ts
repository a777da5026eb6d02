// Cases for any API server with a simulated node: logs, proxies, and kubectl if it is installed.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import type { TestCluster } from './cluster.js';

const pods = '/api/v1/namespaces/default/pods';

/**
 * The commands in KUBECTL, separated by colons, by default the one on the PATH. Commands that do not start are left
 * out.
 */
const clients = (process.env.KUBECTL ?? 'kubectl').split(':').flatMap((command) => {
  try {
    const version = JSON.parse(execFileSync(command, ['version', '--client', '-o', 'json'], { encoding: 'utf8' }));
    return [{ command, release: String(version.clientVersion.gitVersion) }];
  } catch {
    return [];
  }
});
if (clients.length === 0) console.log('not run: KUBECTL names no kubectl');

/** Makes the pods for the cases: `echo`, an HTTP echo with and without TLS, and `shell`. */
export async function makePods(cluster: TestCluster): Promise<void> {
  const args = ['--port', '8080', '--tls-port', '8443'];
  await cluster.createPod('echo', { containers: [{ name: 'c', image: 'http-echo', args }] });
  await cluster.createPod('shell', { containers: [{ name: 'c', image: 'pause' }] });
  for (const name of ['echo', 'shell']) await cluster.untilPhase(`${pods}/${name}`, 'Running');
}

export function testLogs(cluster: () => TestCluster): void {
  it('relays logs, which end with the container', async () => {
    const args = ['-3600s=old', '+0s=now', '+0.5s=later'];
    const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'log-generator', args }] };
    const path = await cluster().createPod('log', spec);
    const logOf = async (query: string) => (await cluster().call('GET', `${path}/log?${query}`)).text;
    await cluster().until(path, (pod) => ['Running', 'Succeeded'].includes(pod?.status?.phase));
    expect(await logOf('follow=true')).toBe('old\nnow\nlater\n');
    expect(await logOf('sinceSeconds=1800')).toBe('now\nlater\n');
    expect(await logOf('tailLines=1&timestamps=true')).toMatch(/^\S{29}Z later\n$/);
    const previous = await cluster().call('GET', `${path}/log?previous=true`);
    expect(previous.status).toBe(400);
    expect(previous.json.message).toContain('previous terminated container "c" in pod "log" not found');
  });
}

/** Tests each path, and the path that the echo backend receives. */
export function testProxies(
  cluster: () => TestCluster,
  cases: readonly (readonly [path: string, reached: string])[],
): void {
  it.each(cases)('proxies %s', async (path, reached) => {
    const { status, json } = await cluster().call('GET', path);
    expect(status).toBe(200);
    expect(json).toMatchObject({ method: 'GET', path: reached });
    expect(JSON.stringify(json.headers)).not.toContain(cluster().facts.token);
  });
}

/** Tests commands of kubectl about pods, with each installed kubectl. */
export function testKubectl(cluster: () => TestCluster, kubeconfig: () => string): void {
  describe.each(clients)('kubectl $release', ({ command, release }) => {
    const id = `-${/\d+\.\d+/.exec(release)?.[0].replace('.', '-') ?? 'any'}`;
    const home = { ...process.env, HOME: '/nonexistent' };
    const start = (args: readonly string[]) =>
      spawn(command, ['--kubeconfig', kubeconfig(), ...args], { stdio: 'pipe', env: home });
    const started = new Set<ReturnType<typeof start>>();
    afterAll(() => {
      for (const child of started) child.kill('SIGKILL');
    });

    /** Runs kubectl to its end. */
    async function kubectl(args: readonly string[], stdin: Buffer | string = '') {
      const child = start(args);
      started.add(child);
      child.stdin.on('error', () => {}).end(stdin);
      const [stdout, stderr, [code]] = await Promise.all([
        buffer(child.stdout),
        text(child.stderr),
        once(child, 'close') as Promise<[number]>,
      ]);
      return { code, stdout, stderr };
    }

    it('run -i: streams, and the exit code of the pod', async () => {
      const command = ['sh', '-c', 'cat; exit 3'];
      const run = ['run', `once${id}`, '--rm', '-i', '--restart=Never', '--image=busybox', '--', ...command];
      const { code, stdout } = await kubectl(run, 'typed\n');
      expect([code, String(stdout)]).toEqual([3, expect.stringContaining('typed\n')]);
    });

    it('logs -f: to the end of the container', async () => {
      const lines = ['+0s=one', '+0.2s=two', '+0.4s=three'];
      await kubectl(['run', `said${id}`, '--restart=Never', '--image=log-generator', '--', ...lines]);
      await cluster().until(`${pods}/said${id}`, (pod) => ['Running', 'Succeeded'].includes(pod?.status?.phase));
      const { code, stdout } = await kubectl(['logs', '-f', `said${id}`]);
      expect([code, String(stdout)]).toEqual([0, 'one\ntwo\nthree\n']);
    });

    it('exec: the streams and the exit code come back', async () => {
      const script = 'echo out; echo err >&2; exit 7';
      const { code, stdout, stderr } = await kubectl(['exec', 'shell', '--', 'sh', '-c', script]);
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
      const path = await cluster().createPod(`listens${id}`, { restartPolicy: 'Never', containers: [container] });
      await cluster().untilPhase(path, 'Running');
      const { stdout } = await kubectl(['attach', '-i', `listens${id}`], 'something\n');
      expect(String(stdout)).toContain('heard something\n');
      await cluster().untilPhase(path, 'Succeeded');
    });

    it('cp: both ways', async () => {
      const content = randomBytes(300_000);
      const [there, back] = [join(cluster().folder, 'there'), join(cluster().folder, `back${id}`)];
      await writeFile(there, content);
      expect(await kubectl(['cp', there, `shell:/tmp/copied${id}`])).toMatchObject({ code: 0 });
      expect(await kubectl(['cp', `shell:/tmp/copied${id}`, back])).toMatchObject({ code: 0 });
      expect(readFileSync(back).equals(content)).toBe(true);
    });

    it.each([
      ['port-forward', ['port-forward', 'pod/echo', ':8080'], '', '/forwarded'],
      ['proxy', ['proxy', '--port=0'], `${pods}/echo:8080/proxy`, '/forwarded'],
    ])('%s: bytes through it', async (_, args, prefix, path) => {
      const child = start(args);
      started.add(child);
      const port = await portOf(child.stdout);
      const sent = { method: 'POST', body: 'x'.repeat(100_000) };
      const reply = await fetch(`http://127.0.0.1:${port}${prefix}${path}`, sent);
      expect(await reply.json()).toMatchObject({ method: 'POST', path, bytes: 100_000 });
      child.kill();
    });
  });
}

/** Returns the local port in the output of kubectl. */
async function portOf(stdout: Readable): Promise<string> {
  let said = '';
  // kubectl goes on to print its connections.
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(said) ?? [];
    if (port === undefined) continue;
    stdout.resume();
    return port;
  }
  throw new Error(`kubectl ended, and said ${JSON.stringify(said)}`);
}
