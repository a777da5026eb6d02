// The Node object: made where it is missing, kept true by a heartbeat.
import { type ApiClient, type ApiObject, isStatus } from '../api/apiClient.js';
import { Backoff } from '../api/backoff.js';
import { formatSeconds } from '../containers/time.js';

export interface NodeFacts {
  readonly name: string;
  readonly address: string;
  readonly kubeletPort: number;
  readonly podCidr: string;
  /** Milliseconds between two heartbeats. */
  readonly heartbeat: number;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

interface Node extends ApiObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

const resources = { cpu: '8', memory: '16Gi', pods: '110' };
const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The labels of a node. */
export const labelsOf = (name: string): Readonly<Record<string, string>> => ({
  'kubernetes.io/hostname': name,
  'kubernetes.io/os': 'linux',
  'kubernetes.io/arch': 'amd64',
});

/** Keeps a node registered. */
export class Registration {
  #node: Node | undefined;
  readonly #started = formatSeconds(new Date());

  constructor(
    readonly facts: NodeFacts,
    readonly client: ApiClient,
  ) {}

  get #path(): string {
    return `/api/v1/nodes/${this.facts.name}`;
  }

  /** Registers the node: resolves when it is there, and ready. Tries until the signal. */
  async register(signal: AbortSignal, trouble: (error: Error) => void): Promise<void> {
    const backoff = new Backoff();
    while (!signal.aborted) {
      try {
        await this.#beat();
        return;
      } catch (error) {
        trouble(error instanceof Error ? error : new Error(String(error)));
        await backoff.wait(signal);
      }
    }
  }

  /** Says until the signal that the node is still there: one small write each time. */
  async keep(signal: AbortSignal, trouble: (error: Error) => void): Promise<void> {
    const rest = new Backoff(this.facts.heartbeat, this.facts.heartbeat);
    while (!signal.aborted) {
      await rest.wait(signal);
      if (!signal.aborted) await this.register(signal, trouble);
    }
  }

  async #beat(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (this.#node === undefined && (await this.#create())) return;
        this.#node ??= await this.client.get<Node>(this.#path);
        const body = { apiVersion: 'v1', kind: 'Node', ...this.#node, status: this.#status(this.#node) };
        this.#node = await this.client.replace<Node>(`${this.#path}/status`, body);
        return;
      } catch (error) {
        // changed, or deleted, by somebody else: once more from what is there now
        this.#node = undefined;
        if (attempt >= 3 || !isStatus(error, 404, 409)) throw error;
      }
    }
  }

  /** Makes the node; whether it was made with its status: servers may leave that to a second write. */
  async #create(): Promise<boolean> {
    const { name, podCidr } = this.facts;
    try {
      this.#node = await this.client.create<Node>('/api/v1/nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels: labelsOf(name) },
        spec: { podCIDR: podCidr },
        status: this.#status(undefined),
      });
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
    }
    return this.#node?.status?.conditions?.some(({ type }) => type === 'Ready') ?? false;
  }

  #status(before: Node | undefined) {
    const { address, kubeletPort } = this.facts;
    const now = formatSeconds(new Date());
    const old = before?.status?.conditions ?? [];
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
      capacity: resources,
      allocatable: resources,
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
        kubeletVersion: 'v1.20.0-simulated',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    };
  }
}
