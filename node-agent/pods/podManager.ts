// The pods of a node: a worker for each pod that is bound to the node.
import { type OnError, toError } from '../api/backoff.js';
import { listAndWatch } from '../api/listWatch.js';
import type { Node, Pod } from '../api/types.js';
import { type NodeServices, PodWorker } from './podWorker.js';
import { type Refusal, refusalOf } from './refusals.js';
import { amountsOf, nodeResources } from './requests.js';

export interface PodObserver {
  updated(pod: Pod): void;
  deleted(pod: Pod): void;
}

export class PodManager {
  readonly #workers = new Map<string, PodWorker>();
  readonly #running = new Set<Promise<void>>();
  #onError: OnError = () => {};

  constructor(
    readonly node: string,
    readonly services: NodeServices,
    readonly observer?: PodObserver,
  ) {}

  /** Runs the pods that are bound to the node until the signal. Resolves when all their programs have ended. */
  async run(signal: AbortSignal, onError: OnError): Promise<void> {
    this.#onError = onError;
    await listAndWatch<Pod>(
      this.services.client,
      { path: '/api/v1/pods', query: { fieldSelector: `spec.nodeName=${this.node}` } },
      {
        replaced: (pods) => this.#replace(pods),
        updated: (pod) => this.#update(pod),
        deleted: (pod) => this.#remove(keyOf(pod)),
      },
      signal,
      onError,
    );
    this.#replace([]);
    await Promise.all(this.#running);
  }

  /** The pods of the node in their last known state. */
  get pods(): readonly Pod[] {
    return [...this.#workers.values()].map(({ pod }) => pod);
  }

  /** Returns the pod with a namespace and a name; the newer one if the older one is still being deleted. */
  find(namespace: string, name: string): PodWorker | undefined {
    return [...this.#workers.values()].findLast(
      ({ pod: { metadata } }) => metadata.name === name && metadata.namespace === namespace,
    );
  }

  #replace(pods: readonly Pod[]): void {
    const present = new Set(pods.map(keyOf));
    for (const key of [...this.#workers.keys()]) if (!present.has(key)) this.#remove(key);
    for (const pod of pods) this.#update(pod);
  }

  #update(pod: Pod): void {
    this.observer?.updated(pod);
    const key = keyOf(pod);
    const known = this.#workers.get(key);
    if (known !== undefined) {
      known.update(pod);
      return;
    }
    try {
      // A pod that has run is not asked again, after a restart of the agent.
      const isNew = pod.status?.phase === undefined || pod.status.phase === 'Pending';
      const worker = new PodWorker(pod, this.services, isNew ? this.#refusal(pod) : undefined);
      this.#workers.set(key, worker);
      const running = worker
        .run()
        .catch(this.#onError)
        .finally(() => this.#running.delete(running));
      this.#running.add(running);
    } catch (error) {
      // An invalid pod does not stop the others.
      this.#onError(toError(error));
    }
  }

  /** Returns what asks why the node refuses a pod, if it may: somebody may have given the node more than it had at first. */
  #refusal(pod: Pod): (() => Promise<Refusal | undefined>) | undefined {
    const others = this.pods;
    if (refusalOf(pod, others) === undefined) return undefined;
    return async () => {
      const node = await this.services.client.get<Node>(`/api/v1/nodes/${this.node}`).catch(() => undefined);
      return refusalOf(pod, others, amountsOf(node?.status?.allocatable ?? nodeResources));
    };
  }

  #remove(key: string): void {
    const worker = this.#workers.get(key);
    if (worker === undefined) return;
    worker.stop();
    this.#workers.delete(key);
    this.observer?.deleted(worker.pod);
  }
}

const keyOf = ({ metadata }: Pod): string => metadata.uid ?? `${metadata.namespace}/${metadata.name}`;
