// An informer that goes on: it resumes a watch that was cut, and lists again when its resourceVersion has expired.
import {
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  ListWatch,
  Watch,
} from '@kubernetes/client-node';

/** The time until the next attempt, in milliseconds. */
const pause = 50;

export class Informer<T extends KubernetesObject> {
  readonly #watched: ListWatch<T>;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #lists = 0;

  /** `changed` is told each object that was added, changed or deleted. */
  constructor(
    config: KubeConfig,
    path: string,
    list: () => Promise<KubernetesListObject<T>>,
    changed: (object: T) => void,
  ) {
    const counted = async (): Promise<KubernetesListObject<T>> => {
      const all = await list();
      this.#lists++;
      return all;
    };
    this.#watched = new ListWatch<T>(path, new Watch(config), counted, false);
    this.#watched.on('change', changed);
    this.#watched.on('error', () => this.#again());
  }

  /** How many lists have succeeded: one, and one more for each expired resourceVersion. */
  get lists(): number {
    return this.#lists;
  }

  /** What the informer knows. */
  list(): readonly T[] {
    return this.#watched.list();
  }

  start(): Promise<void> {
    return this.#watched.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#watched.stop();
  }

  #again(): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#watched.start(), pause);
  }
}
