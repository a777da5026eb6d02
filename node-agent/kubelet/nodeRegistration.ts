// The Node object: registration and heartbeats.

import { type ApiClient, isStatus } from '../api/apiClient.js';
import { Backoff, type OnError, retry } from '../api/backoff.js';
import type { EventRecorder } from '../api/eventRecorder.js';
import { formatSeconds } from '../api/time.js';
import type { Node } from '../api/types.js';
import { nodeResources } from '../pods/requests.js';

export interface NodeSettings {
  readonly name: string;
  readonly address: string;
  readonly kubeletPort: number;
  readonly podCidr: string;
  /** The period of heartbeats, in milliseconds. */
  readonly heartbeat: number;
}

/** The release of a server that does not tell its own. */
const unknown = 'v0.0.0';
const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

const nodeLabels = (name: string): Readonly<Record<string, string>> => ({
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
});

export class NodeRegistration {
  #node: Node | undefined;
  #version: string | undefined;
  readonly #started = formatSeconds(new Date());

  constructor(
    readonly settings: NodeSettings,
    readonly client: ApiClient,
    readonly events: EventRecorder,
  ) {}

  get #path(): string {
    return `/api/v1/nodes/${this.settings.name}`;
  }

  /** Registers the node. Resolves when the node exists and is ready, or at the signal. */
  async register(signal: AbortSignal, onError: OnError): Promise<void> {
    await this.#send(signal, onError);
    if (signal.aborted) return;
    const { name } = this.settings;
    // As for a real kubelet, the uid in events about the node is its name.
    const node = { kind: 'Node', metadata: { name, uid: name } };
    this.events.record(node, 'Normal', 'Starting', 'Starting kubelet.');
    this.events.record(node, 'Normal', 'NodeReady', `Node ${name} status is now: NodeReady`);
  }

  /** Sends heartbeats until the signal. Each is one update of the node's status. */
  async sendHeartbeats(signal: AbortSignal, onError: OnError): Promise<void> {
    const { heartbeat } = this.settings;
    const interval = new Backoff(heartbeat, heartbeat);
    while (!signal.aborted) {
      await interval.wait(signal);
      await this.#send(signal, onError);
    }
  }

  #send(signal: AbortSignal, onError: OnError): Promise<void> {
    return retry(() => this.#update(), signal, onError);
  }

  async #update(): Promise<void> {
    this.#version ??= await this.#release();
    for (let attempt = 1; ; attempt++) {
      try {
        if (this.#node === undefined && (await this.#create())) return;
        this.#node ??= await this.client.get<Node>(this.#path);
        const body = { apiVersion: 'v1', kind: 'Node', ...this.#node, status: this.#status(this.#node) };
        this.#node = await this.client.replace<Node>(`${this.#path}/status`, body);
        return;
      } catch (error) {
        // Another client has changed or deleted the node: retry with its current state.
        this.#node = undefined;
        if (attempt >= 3 || !isStatus(error, 404, 409)) throw error;
      }
    }
  }

  /** Returns the release of the server: nodes are of the same one, as far as clients may see it. */
  async #release(): Promise<string> {
    try {
      const { gitVersion } = await this.client.get<{ readonly gitVersion?: string }>('/version');
      return gitVersion?.replace(/[-+].*/, '') ?? unknown;
    } catch (error) {
      if (isStatus(error, 403, 404)) return unknown;
      throw error;
    }
  }

  /** Creates the node. Returns whether it has its status: some servers ignore the status in a create. */
  async #create(): Promise<boolean> {
    const { name, podCidr } = this.settings;
    try {
      this.#node = await this.client.create<Node>('/api/v1/nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels: nodeLabels(name) },
        spec: { podCIDR: podCidr },
        status: this.#status(undefined),
      });
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
    }
    return this.#node?.status?.conditions?.some(({ type }) => type === 'Ready') ?? false;
  }

  #status(before: Node | undefined) {
    const { address, kubeletPort } = this.settings;
    const now = formatSeconds(new Date());
    const old = before?.status?.conditions ?? [];
    const capacity = { ...before?.status?.capacity, ...nodeResources };
    const condition = (type: string, status: 'True' | 'False', reason: string, message: string) => {
      const same = old.find((found) => found.type === type && found.status === status);
      return {
        type,
        status,
        reason,
        message,
        lastHeartbeatTime: now,
        lastTransitionTime: same?.lastTransitionTime ?? this.#started,
      };
    };
    return {
      ...before?.status,
      addresses: [{ type: 'InternalIP', address }],
      // As in a kubelet, what others have added to the node stays, and pods may use all of it.
      capacity,
      allocatable: capacity,
      conditions: [
        ...pressures.map((type) =>
          condition(type, 'False', `KubeletHasNo${type}`, 'nothing of a pod uses the machine'),
        ),
        condition('Ready', 'True', 'KubeletReady', 'the node agent is running'),
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
      nodeInfo: {
        machineID: '',
        systemUUID: '',
        bootID: '',
        kernelVersion: 'simulated',
        osImage: 'kube-api-conformance node agent',
        containerRuntimeVersion: 'simulated://1',
        kubeletVersion: `${this.#version}-simulated`,
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    };
  }
}
