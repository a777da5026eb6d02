// The node agent: its nodes with their pods and kubelets, their network, and the proxy to the network.
import { setMaxListeners } from 'node:events';
import { makeServerCertificates } from '../test-certs/index.js';
import { type ApiAccess, ApiClient } from './api/apiClient.js';
import type { OnError } from './api/backoff.js';
import { EventRecorder, EventSink } from './api/eventRecorder.js';
import { makeKubelet } from './kubelet/kubelet.js';
import { NodeRegistration } from './kubelet/nodeRegistration.js';
import { AddressPool, requireVirtual } from './network/addresses.js';
import { ClusterNetwork } from './network/clusterNetwork.js';
import { startConnectProxy } from './network/connectProxy.js';
import { ServiceTable } from './network/serviceTable.js';
import { type AgentRequest, requestTo, VirtualNetwork } from './network/virtualNetwork.js';
import { hostFiles } from './pods/hostPath.js';
import { PodManager } from './pods/podManager.js';
import { FollowedObjects } from './pods/volumeUpdates.js';
import { Scheduler, schedulerSource } from './scheduler/scheduler.js';

export type { ApiAccess } from './api/apiClient.js';
export { EgressError } from './network/connectProxy.js';

interface NodeOptions {
  readonly name: string;
  /** An address of 10.0.0.0/8 outside every podCidr. */
  readonly address: string;
  /** A /24 of 10.0.0.0/8, only for the pods of this node. */
  readonly podCidr: string;
}

export interface NodeAgentOptions {
  readonly api: ApiAccess;
  /**
   * Returns the token of a component by its user name: `system:node:<name>`, `system:kube-scheduler` or
   * `system:kube-proxy`. By default, all are the user of `api`.
   */
  readonly tokenOf?: (user: string) => string;
  readonly nodes: readonly NodeOptions[];
  /** The Unix socket of the CONNECT proxy. */
  readonly egressSocket: string;
  /** Whether the agent binds pods to its nodes. The default is false. */
  readonly schedule?: boolean;
  /** Whether the agent records Events of the pods and nodes. The default is false. */
  readonly recordEvents?: boolean;
  /** PEM: the CA of the certificates of the kubelets' clients. By default, clients need no certificate. */
  readonly kubeletClientCa?: string;
  /** The period of heartbeats, in milliseconds. The default is 30,000. */
  readonly heartbeat?: number;
  /**
   * The delay of the second restart of a container, in milliseconds; it doubles with each restart. The default is
   * 10,000.
   */
  readonly restartDelay?: number;
  /** Called for each request that reaches a kubelet or an HTTP echo server. */
  readonly onRequest?: (request: AgentRequest) => void;
  /** Called for each failed request to the API server, before a retry. */
  readonly onError?: OnError;
}

export interface RunningNodeAgent {
  /** PEM: the CA of the kubelets' certificates. */
  readonly caCertificate: string;
  /** Resolves when every node is registered. */
  readonly registered: Promise<void>;
  /** Ends all programs. The objects stay, so that the next agent with the same nodes continues with them. */
  close(): Promise<void>;
}

const kubeletPort = 10_250;

/** How services with affinity know the API server. */
const apiServer = 'the API server';

/**
 * Starts an agent without waiting for the API server. Rejects with EgressError if the socket is unusable, and with
 * RangeError for an invalid name or address.
 */
export async function startNodeAgent(options: NodeAgentOptions): Promise<RunningNodeAgent> {
  const { nodes, restartDelay = 10_000, egressSocket, onRequest = () => {} } = options;
  const pools = nodes.map(({ podCidr }) => new AddressPool(podCidr));
  for (const { name, address } of nodes) {
    requireName(name);
    requireVirtual(address);
  }
  const network = new VirtualNetwork();
  const { ca, server } = await makeServerCertificates(nodes[0]?.address ?? 'localhost', {
    names: nodes.flatMap(namesOf),
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every watch of the agent listens to it.
  setMaxListeners(0, signal);
  const client = new ApiClient(options.api);
  const { tokenOf } = options;
  const clientOf = (user: string) => (tokenOf === undefined ? client : client.as(tokenOf(user)));
  const onError = (error: Error) => {
    if (!signal.aborted) options.onError?.(error);
  };
  const hosts = new Set(nodes.map(({ address }) => address));
  const cluster = new ClusterNetwork(network, new ServiceTable(clientOf('system:kube-proxy'), hosts, signal, onError));
  const closeProxy = await startConnectProxy(egressSocket, (host, port) => cluster.find(host, port, apiServer));
  const sinkOf = (by: ApiClient) => (options.recordEvents === true ? new EventSink(by, signal, onError) : undefined);
  const names = nodes.map(({ name }) => name);
  const ofScheduler = clientOf('system:kube-scheduler');
  const scheduler = options.schedule
    ? new Scheduler(ofScheduler, names, new EventRecorder(schedulerSource, sinkOf(ofScheduler)))
    : undefined;

  const run = ({ name, address, podCidr }: NodeOptions, index: number) => {
    const ofNode = clientOf(`system:node:${name}`);
    const events = new EventRecorder({ component: 'kubelet', host: name }, sinkOf(ofNode));
    const settings = { name, address, kubeletPort, podCidr, heartbeat: options.heartbeat ?? 30_000 };
    const registration = new NodeRegistration(settings, ofNode, events);
    const registered = registration.register(signal, onError);
    const addresses = pools[index] ?? new AddressPool(podCidr);
    const followed = new FollowedObjects(ofNode);
    const services = {
      client: ofNode,
      events,
      network,
      cluster,
      followed,
      addresses,
      hostIP: address,
      hostFiles: hostFiles(),
      restartDelay,
      onRequest,
    };
    const pods = new PodManager(name, services, scheduler);
    const { kubeletClientCa: clientCa } = options;
    const tls = { certificate: server.certificate, key: server.key, ...(clientCa !== undefined && { clientCa }) };
    const kubelet = makeKubelet(pods, tls, (request, response) =>
      onRequest(requestTo(`node ${name}`, request, response)),
    );
    network.addHost(name, address);
    network.listen(address, kubeletPort, signal, kubelet.accept);
    signal.addEventListener('abort', kubelet.close, { once: true });
    // The node must exist before pods can be bound to it.
    const ended = registered.then(() =>
      Promise.all([registration.sendHeartbeats(signal, onError), pods.run(signal, onError)]),
    );
    return { registered, ended };
  };

  const running = nodes.map(run);
  const registered = Promise.all(running.map((node) => node.registered)).then(() => {});
  const scheduled = registered.then(() => scheduler?.run(signal, onError));
  const close = async () => {
    stopping.abort();
    await closeProxy();
    await Promise.all([...running.map((node) => node.ended), scheduled]);
    client.close();
  };
  return { caCertificate: ca.certificate, registered, close };
}

function requireName(name: string): void {
  if (name.length > 253 || !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name))
    throw new RangeError(`"${name}" is not the name of a node: give lower-case letters, digits, - and .`);
}

const namesOf = ({ name, address }: NodeOptions): string[] => [`IP:${address}`, `DNS:${name}`];
