// The node agent: nodes, their pods, their kubelets, and the way to them.
import { makeServerCertificates } from '../test-certs/index.js';
import { type ApiAccess, ApiClient } from './api/apiClient.js';
import { startConnectProxy } from './egress/connectProxy.js';
import { makeKubelet } from './kubelet/kubelet.js';
import { AddressPool, requireVirtual } from './network/addresses.js';
import { VirtualNetwork } from './network/virtualNetwork.js';
import { Registration } from './node/registration.js';
import { PodManager } from './pods/podManager.js';
import { Scheduler } from './scheduling/scheduler.js';

/** A node that the agent plays. */
interface NodeOptions {
  readonly name: string;
  /** Of 10.0.0.0/8, and in no range of pods. */
  readonly address: string;
  /** A /24 of 10.0.0.0/8 for its pods, which no other node has. */
  readonly podCidr: string;
}

export interface NodeAgentOptions {
  readonly api: ApiAccess;
  readonly nodes: readonly NodeOptions[];
  /** The Unix socket of the CONNECT proxy. */
  readonly egressSocket: string;
  /** Binds pods that nobody has bound; false unless told. */
  readonly schedule?: boolean;
  /** PEM: what must have signed the certificates of the kubelets' clients. */
  readonly kubeletClientCa?: string;
  /** Milliseconds between two heartbeats; 30,000 unless told. */
  readonly heartbeat?: number;
  /** Milliseconds before the second restart of a container, doubled for each after it; 10,000 unless told. */
  readonly restartDelay?: number;
  /** Trouble with the API server, which is tried again. */
  readonly onTrouble?: (error: Error) => void;
}

export interface RunningNodeAgent {
  /** PEM: what signed the kubelets' certificates. */
  readonly caCertificate: string;
  /** Resolves when every node is registered. */
  readonly registered: Promise<void>;
  /** Ends every program. The objects stay, and the next agent of the same nodes goes on with them. */
  close(): Promise<void>;
}

/** The port of every kubelet, on the node's virtual address. */
const kubeletPort = 10_250;

/**
 * Starts an agent; it does not wait for the API server. Rejects with EgressError for a socket that cannot be used, and
 * with RangeError for addresses that are none.
 */
export async function startNodeAgent(options: NodeAgentOptions): Promise<RunningNodeAgent> {
  const { nodes, heartbeat = 30_000, restartDelay = 10_000, onTrouble = () => {} } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const network = new VirtualNetwork();
  const names = nodes.flatMap(({ name, address }) => [`IP:${address}`, `DNS:${name}`]);
  for (const { address } of nodes) requireVirtual(address);
  const pools = nodes.map(({ podCidr }) => new AddressPool(podCidr));
  const { ca, server } = await makeServerCertificates(nodes[0]?.address ?? '127.0.0.1', { names });
  const closeProxy = await startConnectProxy(options.egressSocket, network);
  const client = new ApiClient(options.api);
  const trouble = (error: Error) => {
    if (!signal.aborted) onTrouble(error);
  };

  const run = ({ name, address, podCidr }: NodeOptions, index: number) => {
    const addresses = pools[index] ?? new AddressPool(podCidr);
    const pods = new PodManager(name, { client, network, addresses, address, restartDelay });
    const { kubeletClientCa: clientCa } = options;
    const tls = { certificate: server.certificate, key: server.key, ...(clientCa === undefined ? {} : { clientCa }) };
    const kubelet = makeKubelet(pods, tls);
    network.name(name, address);
    network.listen(address, kubeletPort, signal, kubelet.accept);
    signal.addEventListener('abort', kubelet.close, { once: true });
    const registration = new Registration({ name, address, kubeletPort, podCidr, heartbeat }, client);
    const registered = registration.register(signal, trouble);
    // a pod can be bound to the node once it is there
    const ended = registered.then(() => Promise.all([registration.keep(signal, trouble), pods.run(signal, trouble)]));
    return { registered, ended };
  };

  const running = nodes.map(run);
  const registered = Promise.all(running.map((node) => node.registered)).then(() => {});
  const scheduled = registered.then(async () => {
    const scheduler = new Scheduler(
      client,
      nodes.map(({ name }) => name),
    );
    if (options.schedule === true) await scheduler.run(signal, trouble);
  });
  const close = async () => {
    stopping.abort();
    await closeProxy();
    await Promise.all([...running.map((node) => node.ended), scheduled]);
    await client.close();
  };
  return { caCertificate: ca.certificate, registered, close };
}
