// A server whose node, pods and services are one test backend, for tests of the traffic between them.
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../index.js';
import { ask } from './standIn.js';
import { echo, mirror, TestBackend } from './testBackend.js';

const core = '/api/v1/namespaces/default';

/**
 * Starts a server with a node `n`, a pod `p`, a service `s` with the ports `web`, `tls` and `dead`, a service `stray`
 * whose endpoint belongs to no pod, and pods `own` and `meta` with forbidden addresses.
 */
export async function startServerBefore(
  { socketPath: egressProxy }: TestBackend,
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

/**
 * Starts the server and the backend before the tests of a file, resets them after each test, and closes them at the
 * end.
 */
export function useBackend(): { readonly backend: TestBackend; readonly server: RunningServer } {
  const cluster = {} as { backend: TestBackend; server: RunningServer };
  beforeAll(async () => {
    cluster.backend = await TestBackend.start();
    cluster.server = await startServerBefore(cluster.backend);
  });
  afterEach(async () => {
    const { backend } = cluster;
    await expect.poll(() => backend.open.size).toBe(0);
    backend.behave = mirror;
    backend.switch = echo;
    backend.arrived.splice(0);
  });
  afterAll(async () => {
    await cluster.server.close();
    await cluster.backend.close();
  });
  return cluster;
}

export function upgrading({ token }: RunningServer, method: string, path: string, headers = ['Upgrade: echo']): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: front', `Authorization: Bearer ${token}`, 'Connection: Upgrade'];
  return [...lines, ...headers, '', ''].join('\r\n');
}
