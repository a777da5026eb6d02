// The pods of a node: a worker for each that is bound to it.
import { follow } from '../api/follow.js';
import { type NodeParts, PodWorker } from './podWorker.js';
import type { Pod } from './types.js';

export class PodManager {
  readonly #workers = new Map<string, PodWorker>();
  readonly #running = new Set<Promise<void>>();
  #trouble: (error: Error) => void = () => {};

  constructor(
    readonly node: string,
    readonly parts: NodeParts,
  ) {}

  /** Follows the pods that are bound to the node until the signal; then everything of them has ended. */
  async run(signal: AbortSignal, trouble: (error: Error) => void): Promise<void> {
    const query = { fieldSelector: `spec.nodeName=${this.node}` };
    this.#trouble = trouble;
    await follow<Pod>(
      this.parts.client,
      { path: '/api/v1/pods', query },
      {
        replaced: (pods) => this.#replace(pods),
        changed: (pod) => this.#observe(pod),
        removed: (pod) => this.#abandon(keyOf(pod)),
      },
      signal,
      trouble,
    );
    for (const key of [...this.#workers.keys()]) this.#abandon(key);
    await Promise.all(this.#running);
  }

  /** The pods of the node, as they were seen last. */
  get pods(): readonly Pod[] {
    return [...this.#workers.values()].map(({ pod }) => pod);
  }

  /** The pod of a namespace and a name; of two, one of which is being deleted, the newer. */
  find(namespace: string, name: string): PodWorker | undefined {
    return [...this.#workers.values()].findLast(
      ({ pod: { metadata } }) => metadata.name === name && metadata.namespace === namespace,
    );
  }

  #replace(pods: readonly Pod[]): void {
    const there = new Set(pods.map(keyOf));
    for (const key of [...this.#workers.keys()]) if (!there.has(key)) this.#abandon(key);
    for (const pod of pods) this.#observe(pod);
  }

  #observe(pod: Pod): void {
    const key = keyOf(pod);
    const known = this.#workers.get(key);
    if (known !== undefined) {
      known.observe(pod);
      return;
    }
    try {
      const worker = new PodWorker(pod, this.parts);
      this.#workers.set(key, worker);
      const running = worker
        .run()
        .catch(this.#trouble)
        .finally(() => this.#running.delete(running));
      this.#running.add(running);
    } catch (error) {
      // an object that is no pod: the others go on
      this.#trouble(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #abandon(key: string): void {
    this.#workers.get(key)?.abandon();
    this.#workers.delete(key);
  }
}

const keyOf = ({ metadata }: Pod): string => metadata.uid ?? `${metadata.namespace}/${metadata.name}`;
