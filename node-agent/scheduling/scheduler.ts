// A small scheduler: binds pods that nobody has bound to the nodes of the agent that they select, one after the other.
import { type ApiClient, isStatus } from '../api/apiClient.js';
import { Backoff } from '../api/backoff.js';
import { follow } from '../api/follow.js';
import { labelsOf } from '../node/registration.js';
import type { Pod } from '../pods/types.js';

const ownName = 'default-scheduler';

export class Scheduler {
  #turn = 0;
  readonly #tried = new Set<string>();

  constructor(
    readonly client: ApiClient,
    readonly nodes: readonly string[],
  ) {}

  /** Binds pods until the signal. Those that ask for another scheduler are left to it. */
  async run(signal: AbortSignal, trouble: (error: Error) => void): Promise<void> {
    const bind = (pod: Pod) => {
      const uid = pod.metadata.uid ?? '';
      const candidates = this.nodes.filter((node) => selects(pod, node));
      if (!isWanted(pod) || candidates.length === 0 || this.#tried.has(uid)) return;
      this.#tried.add(uid);
      const node = candidates[this.#turn++ % candidates.length] ?? '';
      void this.#bind(pod, node, signal, trouble);
    };
    await follow<Pod>(
      this.client,
      { path: '/api/v1/pods', query: { fieldSelector: 'spec.nodeName=' } },
      {
        replaced: (pods) => pods.forEach(bind),
        changed: bind,
        removed: ({ metadata }) => this.#tried.delete(metadata.uid ?? ''),
      },
      signal,
      trouble,
    );
  }

  /** Tries until the pod is bound, gone, or bound by somebody else. */
  async #bind({ metadata }: Pod, node: string, signal: AbortSignal, trouble: (error: Error) => void): Promise<void> {
    const { name, namespace } = metadata;
    const target = { apiVersion: 'v1', kind: 'Node', name: node };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace }, target };
    const backoff = new Backoff();
    while (!signal.aborted) {
      try {
        await this.client.create(`/api/v1/namespaces/${namespace}/bindings`, binding);
        return;
      } catch (error) {
        if (isStatus(error, 404, 409)) return;
        trouble(error instanceof Error ? error : new Error(String(error)));
        await backoff.wait(signal);
      }
    }
  }
}

function isWanted({ metadata, spec, status }: Pod): boolean {
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  const free = !spec.nodeName && !ended && metadata.deletionTimestamp === undefined;
  return free && (spec.schedulerName ?? ownName) === ownName;
}

/** Whether the node has the labels that the pod wants of one. */
function selects({ spec }: Pod, node: string): boolean {
  const labels = labelsOf(node);
  return Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
}
