// A small scheduler: binds pods to the agent's nodes in turn, according to their nodeSelector.
import { type ApiClient, isStatus } from './api/apiClient.js';
import { type OnError, retry } from './api/backoff.js';
import { listAndWatch } from './api/listWatch.js';
import { nodeLabels } from './kubelet/nodeRegistration.js';
import type { Pod } from './pods/types.js';

const schedulerName = 'default-scheduler';

export class Scheduler {
  #turn = 0;
  /** The uids of pods that are being bound or are bound. */
  readonly #bound = new Set<string>();

  constructor(
    readonly client: ApiClient,
    readonly nodes: readonly string[],
  ) {}

  /** Binds pods until the signal, except pods of other schedulers. */
  async run(signal: AbortSignal, onError: OnError): Promise<void> {
    const schedule = (pod: Pod) => {
      const uid = pod.metadata.uid ?? '';
      const candidates = this.nodes.filter((node) => selects(pod, node));
      if (!isPending(pod) || candidates.length === 0 || this.#bound.has(uid)) return;
      this.#bound.add(uid);
      const node = candidates[this.#turn++ % candidates.length] ?? '';
      void retry(() => this.#bind(pod, node), signal, onError);
    };
    await listAndWatch<Pod>(
      this.client,
      { path: '/api/v1/pods', query: { fieldSelector: 'spec.nodeName=' } },
      {
        replaced: (pods) => pods.forEach(schedule),
        updated: schedule,
        deleted: ({ metadata }) => this.#bound.delete(metadata.uid ?? ''),
      },
      signal,
      onError,
    );
  }

  /** Binds a pod. Succeeds also if the pod no longer exists or is already bound. */
  async #bind({ metadata: { name, namespace } }: Pod, node: string): Promise<void> {
    const target = { apiVersion: 'v1', kind: 'Node', name: node };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace }, target };
    try {
      await this.client.create(`/api/v1/namespaces/${namespace}/bindings`, binding);
    } catch (error) {
      if (!isStatus(error, 404, 409)) throw error;
    }
  }
}

/** Reports whether a pod waits for this scheduler. */
function isPending({ metadata, spec, status }: Pod): boolean {
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  const unbound = !spec.nodeName && !ended && metadata.deletionTimestamp === undefined;
  return unbound && (spec.schedulerName ?? schedulerName) === schedulerName;
}

/** Reports whether the node has the labels of the pod's nodeSelector. */
function selects({ spec }: Pod, node: string): boolean {
  const labels = nodeLabels(node);
  return Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
}
