// Tests `serve` with its nodes: pods run, and clients reach them through the server.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { AnyShape } from '../reference-server/testing/anyShape.js';
import type { TestCluster } from './testing/cluster.js';
import { makePods, testKubectl, testLogs, testProxies } from './testing/nodeCases.js';
import { main, type Serving, startServing } from './testing/serving.js';

const pods = '/api/v1/namespaces/default/pods';
const running: Serving[] = [];
afterAll(() => Promise.all(running.map(({ stop }) => stop())));

async function serve(...options: readonly string[]): Promise<Serving> {
  const serving = await startServing(...options);
  running.push(serving);
  return serving;
}

const isThere = (object: unknown) => object !== undefined;

it('has the requested number of nodes, and runs pods on all of them', async () => {
  const { cluster, child } = await serve('--nodes', '2');
  for (const name of ['node-1', 'node-2']) await cluster.until(`/api/v1/nodes/${name}`, isThere);
  const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] };
  const paths = await Promise.all(['a', 'b'].map((name) => cluster.createPod(name, spec)));
  const ended = await Promise.all(paths.map((path) => cluster.untilPhase(path, 'Succeeded')));
  expect(new Set(ended.map((pod) => pod.spec.nodeName))).toEqual(new Set(['node-1', 'node-2']));
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
});

it('grants the resources that a pod asks for while it runs, and says why it does not', async () => {
  const { cluster } = await serve('--nodes', '1');
  const resources = { requests: { cpu: '1', memory: '1Gi' } };
  const resizePolicy = [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }];
  const path = await cluster.createPod('web', {
    containers: [{ name: 'web', image: 'nginx', resources, resizePolicy }],
  });
  await cluster.untilPhase(path, 'Running');
  const ask = async (requests: object) => {
    const { json: pod } = await cluster.call('GET', path);
    Object.assign(pod.spec.containers[0].resources.requests, requests);
    // The node writes the status meanwhile.
    delete pod.metadata.resourceVersion;
    expect((await cluster.call('PUT', `${path}/resize`, pod)).status).toBe(200);
  };
  const containerOf = (pod: AnyShape) => pod.status.containerStatuses[0];
  await ask({ cpu: '2' });
  const granted = await cluster.until(path, (pod) => containerOf(pod).resources?.requests.cpu === '2');
  expect(containerOf(granted)).toMatchObject({ restartCount: 0, allocatedResources: { cpu: '2', memory: '1Gi' } });
  await ask({ memory: '2Gi' });
  const restarted = await cluster.until(path, (pod) => containerOf(pod).restartCount === 1);
  expect(containerOf(restarted).resources.requests).toEqual({ cpu: '2', memory: '2Gi' });
  await ask({ cpu: '9' });
  const conditionOf = ({ status }: AnyShape) =>
    status.conditions.find((each: AnyShape) => each.type === 'PodResizePending');
  const waiting = await cluster.until(path, (pod) => conditionOf(pod) !== undefined);
  expect(conditionOf(waiting)).toMatchObject({
    status: 'True',
    reason: 'Infeasible',
    message: "Node didn't have enough capacity: cpu, requested: 9000, capacity: 8000",
  });
  expect(containerOf(waiting).resources.requests.cpu).toBe('2');
  await ask({ cpu: '3' });
  await cluster.until(path, (pod) => containerOf(pod).resources.requests.cpu === '3' && conditionOf(pod) === undefined);
});

it.each([
  [['--nodes', 'many'], 'serve: --nodes: "many"'],
  [['--nodes', '1', '--egress-proxy', '/x.sock'], '--nodes and --egress-proxy contradict each other'],
  [['--kubelet-client-certificate', '/x.crt'], '--kubelet-client-key is missing'],
  [
    ['--kubelet-certificate-authority', '/nowhere'],
    '--kubelet-certificate-authority: cannot read /nowhere: there is none',
  ],
])('refuses %s in one line', async (options, message) => {
  const failed = promisify(execFile)(process.execPath, [main, 'serve', ...options]);
  const { code, stderr } = (await failed.catch((error) => error)) as { code: number; stderr: string };
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^[^\n]+\n$/)]);
  expect(stderr).toContain(message);
});

it('has no nodes with --egress-proxy', async () => {
  const { cluster } = await serve('--egress-proxy', '/nowhere.sock');
  await cluster.call('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
  const { json } = await cluster.call('GET', '/api/v1/nodes');
  expect(json.items.map((node: { metadata: { name: string } }) => node.metadata.name)).toEqual(['n']);
});

describe('with one node, the default', () => {
  let cluster: TestCluster;
  let kubeconfig: string;
  beforeAll(async () => {
    ({ cluster, kubeconfig } = await serve());
    await makePods(cluster);
  });

  testLogs(() => cluster);
  testProxies(
    () => cluster,
    [
      [`${pods}/echo:8080/proxy/a/b/?x=1`, '/a/b/'],
      [`${pods}/https:echo:8443/proxy/tls`, '/tls'],
      ['/api/v1/proxy/namespaces/default/pods/echo:8080/old/', '/old/'],
    ],
  );

  it("proxies to the node's kubelet", async () => {
    expect((await cluster.call('GET', '/api/v1/nodes/node-1/proxy/healthz')).text).toBe('ok');
  });

  it('ends a forwarded connection over a WebSocket when the pod has closed it', async () => {
    const { url, ca, token } = cluster.facts;
    const socket = new WebSocket(
      `${url.replace('https', 'wss')}${pods}/echo/portforward?ports=8080`,
      'v4.channel.k8s.io',
      { ca: readFileSync(ca), headers: { authorization: `Bearer ${token}` } },
    );
    const received: Buffer[] = [];
    socket.on('message', (message: Buffer) => received.push(message.subarray(1)));
    const closed = once(socket, 'close');
    await once(socket, 'open');
    socket.send(Buffer.from('\0GET /once HTTP/1.1\r\nHost: echo\r\nConnection: close\r\n\r\n'));
    expect((await closed)[0]).toBe(1000);
    expect(Buffer.concat(received).toString()).toContain('"path":"/once"');
  });

  it('reports a port without a listener', async () => {
    expect((await cluster.call('GET', `${pods}/echo:81/proxy/`)).status).toBe(503);
  });

  testKubectl(
    () => cluster,
    () => kubeconfig,
  );
});
