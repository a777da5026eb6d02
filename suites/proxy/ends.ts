// The other ends of the proxies: servers that say what they were asked, in a pod, behind Services, on a node.
import { Prerequisite } from '../support/expect.js';
import type { JsonObject } from '../support/json.js';
import { byId, pods } from '../support/related.js';
import { type RunningPod, runningPod, shared } from '../support/runningPods.js';
import { pathTo } from '../support/scope.js';
import type { Context } from '../support/worker.js';

const services = byId('core/services');
const endpoints = byId('core/endpoints');

/** Where requests are sent: the names as they stand in a path. */
export interface Ends {
  readonly namespace: string;
  readonly pods: string;
  readonly services: string;
  readonly nodes: string;
  /** A Service with named ports: `http` is 80, `https` is 443 and speaks TLS. */
  readonly named: string;
  /** A Service that nobody stands behind. */
  readonly empty: string;
  /** A pod whose address is said to be the loopback. */
  readonly loopback: string;
}

/** The worker's ends, made at their first use. */
export const endsOf = shared(async (context): Promise<Ends> => {
  const { scope } = context;
  const args = ['--port', '8080', '--port', '8081', '--tls-port', '8443'];
  const container = { name: 'main', image: 'http-echo' };
  const pod = await runningPod(context, {
    containers: [{ ...container, args, ports: [{ containerPort: 8080 }] }],
  });
  // the workers share the ports of a node
  const port = 18_000 + Number(scope.worker.slice(1));
  const host = await runningPod(context, {
    hostNetwork: true,
    containers: [{ ...container, args: ['--port', String(port)], ports: [{ containerPort: port, hostPort: port }] }],
  });
  return {
    namespace: pod.namespace,
    pods: pod.name,
    services: await service(context, [{ port: 80, targetPort: 8080 }], pod),
    nodes: `${host.node}:${port}`,
    named: await service(
      context,
      [
        { name: 'http', port: 80, targetPort: 8080 },
        { name: 'https', port: 443, targetPort: 8443 },
      ],
      pod,
    ),
    empty: await service(context, [{ port: 80, targetPort: 8080 }], undefined),
    loopback: await loopback(context),
  };
});

interface Port {
  readonly name?: string;
  readonly port: number;
  readonly targetPort: number;
}

/** Makes a Service without a selector, and the endpoints that lead to the pod. */
async function service({ scope }: Context, ports: readonly Port[], pod: RunningPod | undefined): Promise<string> {
  const change = { spec: { selector: null, ports: ports.map((port) => ({ ...port, protocol: 'TCP' })) } };
  const { name, namespace = '' } = await scope.make(services, { change, kept: true });
  const targetRef = { kind: 'Pod', name: pod?.name ?? '', namespace };
  const subset: JsonObject = {
    addresses: [{ ip: pod?.address ?? '', targetRef }],
    ports: ports.map(({ name, targetPort }) => ({ ...(name === undefined ? {} : { name }), port: targetPort })),
  };
  await scope.make(endpoints, { name, namespace, change: { subsets: pod === undefined ? [] : [subset] } });
  return name;
}

async function loopback({ scope, client }: Context): Promise<string> {
  const { name, namespace, object } = await scope.make(pods);
  const path = `${pathTo(pods, 'read', namespace, name)}/status`;
  const body = JSON.stringify({
    ...object,
    status: { phase: 'Running', podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }] },
  });
  const reply = await client.send({ method: 'PUT', path, body, headers: { 'content-type': 'application/json' } });
  if (reply.status !== 200) throw new Prerequisite(`PUT ${path} answered ${reply.status} ${reply.excerpt()}`);
  return name;
}
