// A small scheduler: binds pods that nobody has bound to the nodes of the agent, one after the other.
import { type ApiClient, isStatus } from '../api/apiClient.js';
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
      this.#bind(pod).catch((error) => {
        // the pod has gone, or somebody else was faster
        if (!isStatus(error, 404, 409) && !signal.aborted) trouble(error);
      });
    };
    await follow<Pod>(
      this.client,
      { path: '/api/v1/pods', query: { fieldSelector: 'spec.nodeName=' } },
      {
        replaced: (pods) => {
          this.#tried.clear();
          pods.forEach(bind);
        },
        changed: bind,
        removed: ({ metadata }) => this.#tried.delete(metadata.uid ?? ''),
      },
      signal,
      trouble,
    );
  }

  async #bind({ metadata, spec, status }: Pod): Promise<void> {
    const { name, namespace, uid = '' } = metadata;
    const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed';
    const wanted = !spec.nodeName && !ended && metadata.deletionTimestamp === undefined;
    if (!wanted || (spec.schedulerName ?? ownName) !== ownName || this.#tried.has(uid)) return;
    this.#tried.add(uid);
    const target = this.nodes[this.#turn++ % this.nodes.length];
    try {
      await this.client.create(`/api/v1/namespaces/${namespace}/bindings`, {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name, namespace },
        target: { apiVersion: 'v1', kind: 'Node', name: target },
      });
    } catch (error) {
      this.#tried.delete(uid);
      throw error;
    }
  }
}
