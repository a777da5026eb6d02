// The JavaScript client of Kubernetes against `serve`: its streams are WebSockets.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import {
  Attach,
  CoreV1Api,
  Cp,
  Exec,
  KubeConfig,
  Log,
  PortForward,
  type V1Status,
  Watch,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePods } from '../../cli/testing/nodeCases.js';
import { type Serving, startServing } from '../../cli/testing/serving.js';

let serving: Serving;
const config = new KubeConfig();
beforeAll(async () => {
  serving = await startServing();
  config.loadFromFile(serving.kubeconfig);
  await makePods(serving.cluster);
});
afterAll(() => serving.stop());

/** Runs a command in the pod `shell` to its end. */
async function exec(command: readonly string[], stdin: Readable | null = null, tty = false) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const outputs = Promise.all([buffer(stdout), text(stderr)]);
  const status = await new Promise<V1Status>((resolve, reject) => {
    new Exec(config).exec('default', 'shell', 'c', [...command], stdout, stderr, stdin, tty, resolve).catch(reject);
  });
  stdout.end();
  stderr.end();
  const [out, err] = await outputs;
  return { out, err, status };
}

it('exec: the streams, and how the command ended', async () => {
  const { out, err, status } = await exec(['sh', '-c', 'echo out; echo err >&2; exit 7']);
  expect([String(out), err]).toEqual(['out\n', 'err\n']);
  expect(status).toMatchObject({ status: 'Failure', reason: 'NonZeroExitCode' });
  expect(status.details?.causes).toEqual([{ reason: 'ExitCode', message: '7' }]);
  expect((await exec(['true'])).status).toMatchObject({ status: 'Success' });
});

it('exec: megabytes of standard input', async () => {
  const content = randomBytes(3_000_000);
  const { out, status } = await exec(['head', '-c', String(content.length)], Readable.from([content]));
  expect([out.equals(content), status.status]).toEqual([true, 'Success']);
});

it('exec: a terminal', async () => {
  expect(String((await exec(['echo', 'line'], null, true)).out)).toBe('line\r\n');
});

it('attach: to the program that runs', async () => {
  const command = ['sh', '-c', 'read line; echo "heard $line"'];
  const container = { name: 'c', image: 'busybox', stdin: true, command };
  const path = await serving.cluster.createPod('listens', { restartPolicy: 'Never', containers: [container] });
  await serving.cluster.untilPhase(path, 'Running');
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const socket = await new Attach(config).attach('default', 'listens', 'c', stdout, null, stdin, false);
  stdin.write('something\n');
  expect(String((await once(stdout, 'data'))[0])).toBe('heard something\n');
  socket.close();
});

it('port-forward: bytes through it', async () => {
  const forward = new PortForward(config);
  const local = createServer((socket) => {
    forward.portForward('default', 'echo', [8080], socket, null, socket).catch((error) => socket.destroy(error));
  });
  local.listen(0, '127.0.0.1');
  await once(local, 'listening');
  const { port } = local.address() as { port: number };
  const asked = request({ port, host: '127.0.0.1', path: '/forwarded', method: 'POST', agent: false });
  asked.end('x'.repeat(100_000));
  const [response] = await once(asked, 'response');
  expect(JSON.parse(await text(response))).toMatchObject({ port: 8080, path: '/forwarded', bytes: 100_000 });
  local.close();
});

it('log: followed to the end of the container', async () => {
  const args = ['+0s=one', '+0.3s=two'];
  const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'log-generator', args }] };
  const path = await serving.cluster.createPod('says', spec);
  await serving.cluster.until(path, (pod) => ['Running', 'Succeeded'].includes(pod?.status?.phase));
  const said = new PassThrough();
  await new Log(config).log('default', 'says', 'c', said, { follow: true });
  expect(await text(said)).toBe('one\ntwo\n');
});

it('watch: a change after the list that it goes on from', async () => {
  const core = config.makeApiClient(CoreV1Api);
  const { metadata } = await core.listNamespacedConfigMap({ namespace: 'default' });
  const seen: string[] = [];
  const path = '/api/v1/namespaces/default/configmaps';
  const query = { resourceVersion: metadata?.resourceVersion };
  const note = (type: string, { metadata }: { metadata: { name: string } }) => seen.push(`${type} ${metadata.name}`);
  const watching = await new Watch(config).watch(path, query, note, () => {});
  await core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'watched' } } });
  await core.deleteNamespacedConfigMap({ namespace: 'default', name: 'watched' });
  await expect.poll(() => seen).toEqual(['ADDED watched', 'DELETED watched']);
  watching.abort();
});

// What the client copies from a pod is compressed, and it does not unpack that: only this way round works with it.
it('cp: into a container', async () => {
  const folder = join(serving.cluster.folder, 'copied');
  mkdirSync(folder);
  writeFileSync(join(folder, 'file'), 'content');
  await new Cp(config).cpToPod('default', 'shell', 'c', folder, '/tmp');
  await expect.poll(async () => String((await exec(['cat', '/tmp/file'])).out)).toBe('content');
});
