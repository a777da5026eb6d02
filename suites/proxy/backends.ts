// The backends of the proxies: servers that return the received request, in a pod, behind Services, and on a node.
import { randomInt } from 'node:crypto';
import { defined } from '../../matrix/api/index.js';
import { Prerequisite } from '../client/expect.js';
import { at, type JsonObject } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { byId, pods } from '../objects/related.js';
import type { Context } from '../run/context.js';
import { oncePerSandbox, type RunningPod, runningPod } from '../run/runningPods.js';

const services = byId('core/services');
const endpoints = byId('core/endpoints');

export interface Backends {
  readonly namespace: string;
  readonly pods: string;
  /** The name of the pod alone. */
  readonly pod: string;
  readonly services: string;
  readonly nodes: string;
  /** A Service with named ports: `http` is 80, `https` is 443 and speaks TLS. */
  readonly named: string;
  /** A Service without a backend. */
  readonly empty: string;
  /** A Service whose backend is not ready. */
  readonly unready: string;
  /** A pod whose status has the loopback address. */
  readonly loopback: string;
}

/** The backends of the worker, created at their first use. */
export const backendsOf = oncePerSandbox(async (context): Promise<Backends> => {
  const args = ['--port', '8080', '--port', '8081', '--tls-port', '8443'];
  const container = { name: 'main', image: 'http-echo' };
  const pod = await runningPod(context, {
    containers: [{ ...container, args, ports: [{ containerPort: 8080 }] }],
  });
  // all workers share the ports of a node
  const port = randomInt(18_000, 28_000);
  const host = await runningPod(context, {
    hostNetwork: true,
    containers: [{ ...container, args: ['--port', String(port)], ports: [{ containerPort: port, hostPort: port }] }],
  });
  return {
    namespace: pod.namespace,
    // without a port a proxy leads to the first port of the pod, which may be of a container that the target added
    pods: pod.added.length === 0 ? pod.name : `${pod.name}:8080`,
    pod: pod.name,
    services: await service(context, [{ port: 80, targetPort: 8080 }], pod),
    nodes: `${host.node}:${port}`,
    named: await service(
      context,
      [
        { name: 'https', port: 443, targetPort: 8443 },
        { name: 'http', port: 80, targetPort: 8080 },
      ],
      pod,
    ),
    empty: await service(context, [{ port: 80, targetPort: 8080 }], undefined),
    unready: await service(context, [{ port: 80, targetPort: 8080 }], pod, 'notReadyAddresses'),
    loopback: await loopback(context),
  };
});

interface Port {
  readonly name?: string;
  readonly port: number;
  readonly targetPort: number;
}

/** Creates a Service without a selector, and endpoints with the address of the pod, in a subset for each port. */
async function service(
  { sandbox }: Context,
  ports: readonly Port[],
  pod: RunningPod | undefined,
  addresses = 'addresses',
): Promise<string> {
  const change = { spec: { selector: null, ports: ports.map((port) => ({ ...port, protocol: 'TCP' })) } };
  const { name, namespace = '' } = await sandbox.make(services, { change, kept: true });
  const targetRef = { kind: 'Pod', name: pod?.name ?? '', namespace };
  const subsets = ports.map(
    ({ name, targetPort }): JsonObject => ({
      [addresses]: [{ ip: pod?.address ?? '', targetRef }],
      ports: [{ ...defined({ name }), port: targetPort }],
    }),
  );
  await sandbox.make(endpoints, { name, namespace, change: { subsets: pod === undefined ? [] : subsets } });
  return name;
}

async function loopback({ sandbox, client }: Context): Promise<string> {
  const { name, namespace, object } = await sandbox.make(pods);
  const path = `${pathTo(pods, 'read', namespace, name)}/status`;
  const body = JSON.stringify({
    ...object,
    // a scheduler may write the pod meanwhile
    metadata: { ...(at(object, 'metadata') as JsonObject), resourceVersion: null },
    status: { phase: 'Running', podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }] },
  });
  const reply = await client.send({ method: 'PUT', path, body, headers: { 'content-type': 'application/json' } });
  if (reply.status !== 200) throw new Prerequisite(`PUT ${path} answered ${reply.status} ${reply.excerpt()}`);
  return name;
}
