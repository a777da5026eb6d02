// The node agent: nodes, their pods, their kubelets, and the way to them.
import { makeServerCertificates } from '../test-certs/index.js';
import { type ApiAccess, ApiClient } from './api/apiClient.js';
import { startConnectProxy } from './egress/connectProxy.js';
import { makeKubelet } from './kubelet/kubelet.js';
import { AddressPool, requireVirtual } from './network/addresses.js';
import { VirtualNetwork } from './network/virtualNetwork.js';
import { Registration } from './node/registration.js';
import { PodManager } from './pods/podManager.js';
import { type AgentRequest, requestTo } from './request.js';
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
  /** Hears of each request that reaches a kubelet, or a program that says what it was asked. */
  readonly onRequest?: (request: AgentRequest) => void;
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
  const { nodes, restartDelay = 10_000, egressSocket, onRequest = () => {} } = options;
  const pools = nodes.map(({ podCidr }) => new AddressPool(podCidr));
  for (const { address } of nodes) requireVirtual(address);
  const network = new VirtualNetwork();
  const [{ ca, server }, closeProxy] = await Promise.all([
    makeServerCertificates(nodes[0]?.address ?? 'localhost', { names: nodes.flatMap(namesOf) }),
    startConnectProxy(egressSocket, network),
  ]);
  const stopping = new AbortController();
  const { signal } = stopping;
  const client = new ApiClient(options.api);
  const trouble = (error: Error) => {
    if (!signal.aborted) options.onTrouble?.(error);
  };

  const run = ({ name, address, podCidr }: NodeOptions, index: number) => {
    const facts = { name, address, kubeletPort, podCidr, heartbeat: options.heartbeat ?? 30_000 };
    const registration = new Registration(facts, client);
    const registered = registration.register(signal, trouble);
    const addresses = pools[index] ?? new AddressPool(podCidr);
    const pods = new PodManager(name, { client, network, addresses, address, restartDelay, onRequest });
    const { kubeletClientCa: clientCa } = options;
    const tls = { certificate: server.certificate, key: server.key, ...(clientCa === undefined ? {} : { clientCa }) };
    const kubelet = makeKubelet(pods, tls, (request, end) => onRequest(requestTo(`node ${name}`, request, end)));
    network.name(name, address);
    network.listen(address, kubeletPort, signal, kubelet.accept);
    signal.addEventListener('abort', kubelet.close, { once: true });
    // a pod can be bound to the node once it is there
    const ended = registered.then(() => Promise.all([registration.keep(signal, trouble), pods.run(signal, trouble)]));
    return { registered, ended };
  };

  const running = nodes.map(run);
  const registered = Promise.all(running.map((node) => node.registered)).then(() => {});
  const scheduled = registered.then(async () => {
    if (options.schedule !== true) return;
    const names = nodes.map(({ name }) => name);
    await new Scheduler(client, names).run(signal, trouble);
  });
  const close = async () => {
    stopping.abort();
    await closeProxy();
    await Promise.all([...running.map((node) => node.ended), scheduled]);
    client.close();
  };
  return { caCertificate: ca.certificate, registered, close };
}

const namesOf = ({ name, address }: NodeOptions): string[] => [`IP:${address}`, `DNS:${name}`];
