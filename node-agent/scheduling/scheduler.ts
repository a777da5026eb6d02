// A small scheduler: binds pods that nobody has bound to the nodes of the agent, one after the other.
import { type ApiClient, isStatus } from '../api/apiClient.js';
import { Backoff } from '../api/backoff.js';
import { follow } from '../api/follow.js';
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
      if (!isWanted(pod) || this.#tried.has(uid)) return;
      this.#tried.add(uid);
      void this.#bind(pod, signal, trouble);
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
  async #bind({ metadata }: Pod, signal: AbortSignal, trouble: (error: Error) => void): Promise<void> {
    const { name, namespace } = metadata;
    const target = { apiVersion: 'v1', kind: 'Node', name: this.nodes[this.#turn++ % this.nodes.length] };
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
