// A server whose node, pods and services are at the far end, for tests of what passes between.
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../index.js';
import { echo, FarEnd, mirror } from './farEnd.js';
import { ask } from './standIn.js';

const core = '/api/v1/namespaces/default';

/**
 * Starts a server with a node `n`, a pod `p`, a service `s` with the ports `web`, `tls` and `dead`, a service `stray`
 * whose endpoint is no pod's, and pods `own` and `meta` that claim addresses nobody may dial.
 */
export async function startBefore(
  { socketPath: egressProxy }: FarEnd,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const started = await startServer({ egressProxy, ...options });
  const write = async (method: string, path: string, body: object) => {
    const { status, text } = await ask(started, path, { method, body: JSON.stringify(body) });
    if (status !== 200) throw new Error(text);
  };
  const addresses = [{ type: 'InternalIP', address: '10.250.0.1' }];
  await write('POST', '/api/v1/nodes', { metadata: { name: 'n' }, status: { addresses } });
  for (const [name, ip] of Object.entries({ p: '10.244.0.5', own: '127.0.0.1', meta: '169.254.169.254' })) {
    const containers = [{ name: 'c', image: 'i', ports: [{ containerPort: 8080 }] }];
    await write('POST', `${core}/pods`, { metadata: { name }, spec: { nodeName: 'n', containers } });
    const pod = JSON.parse((await ask(started, `${core}/pods/${name}`)).text);
    await write('PUT', `${core}/pods/${name}/status`, { ...pod, status: { podIP: ip } });
  }
  const ports = [
    { name: 'web', port: 80 },
    { name: 'tls', port: 443 },
    { name: 'dead', port: 81 },
  ];
  const targetRef = { kind: 'Pod', namespace: 'default', name: 'p' };
  const endpoints = ports.map(({ name, port }) => ({ name, port: { web: 8080, tls: 8443, dead: 81 }[name] ?? port }));
  for (const [name, more] of Object.entries({ s: { targetRef }, stray: {} })) {
    await write('POST', `${core}/services`, { metadata: { name }, spec: { ports } });
    const subsets = [{ addresses: [{ ip: '10.244.0.5', ...more }], ports: endpoints }];
    await write('POST', `${core}/endpoints`, { metadata: { name }, subsets });
  }
  return started;
}

/** The server and the far end of a file of tests: started before them, made usual after each, closed at the end. */
export function useFarCluster(): { readonly far: FarEnd; readonly server: RunningServer } {
  const cluster = {} as { far: FarEnd; server: RunningServer };
  beforeAll(async () => {
    cluster.far = await FarEnd.start();
    cluster.server = await startBefore(cluster.far);
  });
  afterEach(async () => {
    const { far } = cluster;
    await expect.poll(() => far.open.size, { timeout: 5000 }).toBe(0);
    far.behave = mirror;
    far.switch = echo;
    far.arrived.splice(0);
  });
  afterAll(async () => {
    await cluster.server.close();
    await cluster.far.close();
  });
  return cluster;
}

/** The head of a request that asks for another protocol. */
export function upgrading({ token }: RunningServer, method: string, path: string, headers = ['Upgrade: echo']): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: front', `Authorization: Bearer ${token}`, 'Connection: Upgrade'];
  return [...lines, ...headers, '', ''].join('\r\n');
}
