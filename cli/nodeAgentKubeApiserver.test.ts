// Tests the node agent with a real kube-apiserver, which reaches the node and its pods only through the CONNECT proxy.
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { writeKubeconfig } from './kubeconfig/write.js';
import { TestCluster } from './testing/cluster.js';
import { hasKubeApiserver, type KubeApiserver, startKubeApiserver } from './testing/kubeApiserver.js';
import { makePods, testKubectl, testLogs, testProxies } from './testing/nodeCases.js';

const pods = '/api/v1/namespaces/default/pods';

describe.skipIf(!hasKubeApiserver())('kube-apiserver with the node agent', () => {
  const cluster = new TestCluster();
  let server: KubeApiserver;
  let kubeconfig: string;

  beforeAll(async () => {
    server = await startKubeApiserver('--egress-socket', cluster.egressSocket);
    const { url, ca, token, caCertificate } = server;
    cluster.use({ url, ca, token });
    await cluster.startAgent();
    kubeconfig = join(cluster.folder, 'kubeconfig');
    await writeKubeconfig(kubeconfig, { url, caCertificate, token });
    await makePods(cluster);
    await cluster.createPod('host', {
      hostNetwork: true,
      containers: [{ name: 'c', image: 'http-echo', args: ['--port', '9090'] }],
    });
    await cluster.untilPhase(`${pods}/host`, 'Running');
    await createService();
  });
  afterAll(async () => {
    await cluster.close();
    await server?.stop();
  });

  testLogs(() => cluster);
  testProxies(
    () => cluster,
    [
      [`${pods}/echo:8080/proxy/a/b/?x=1`, '/a/b/'],
      [`${pods}/https:echo:8443/proxy/tls`, '/tls'],
      ['/api/v1/nodes/node-1:9090/proxy/on/the/node', '/on/the/node'],
      ['/api/v1/namespaces/default/services/echo:web/proxy/service', '/service'],
    ],
  );

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

  it('reports a port without a listener', async () => {
    const reply = await cluster.call('GET', `${pods}/echo:81/proxy/`);
    expect(reply.status).toBeGreaterThanOrEqual(500);
  });

  /** Runs a command. Returns the output on each channel of the WebSocket. */
  async function exec(pod: string, command: readonly string[], stdin?: Buffer): Promise<Record<number, string>> {
    const query = new URLSearchParams({ stdout: '1', stderr: '1' });
    for (const word of command) query.append('command', word);
    if (stdin !== undefined) query.set('stdin', '1');
    const socket = new WebSocket(`${cluster.facts.url}${pods}/${pod}/exec?${query}`, 'v4.channel.k8s.io', {
      ca: server.caCertificate,
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

  testKubectl(
    () => cluster,
    () => kubeconfig,
  );

  it('ends a pod gracefully', async () => {
    const path = `${pods}/shell`;
    await cluster.call('DELETE', path);
    await cluster.until(path, (pod) => pod === undefined);
  });
});
