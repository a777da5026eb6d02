// Sidecars: init containers that restart always. They start in their turn, and run beside the other containers.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { firstOf } from '../../matrix/api/signals.js';
import type { ContainerWorker } from './containerWorker.js';

export const isSidecar = ({ restartPolicy }: ObjectOf<'Container'>): boolean => restartPolicy === 'Always';

export class Sidecars {
  readonly #running: { readonly worker: ContainerWorker; readonly ended: Promise<void> }[] = [];
  readonly #done = new AbortController();
  /** Aborts when none is started or restarted any more. */
  readonly #ending: AbortSignal;

  /** `podEnding` aborts when the containers of the pod must end. */
  constructor(podEnding: AbortSignal) {
    this.#ending = firstOf(podEnding, this.#done.signal);
  }

  /** Starts a sidecar. Resolves when it has started up, or will not. */
  async start(worker: ContainerWorker): Promise<void> {
    this.#running.push({ worker, ended: worker.run(this.#ending) });
    await worker.untilStarted(this.#ending);
  }

  /** Ends the sidecars, the last one first. Each has so many seconds as `gracePeriod` then returns. */
  async end(gracePeriod: () => number): Promise<void> {
    this.#done.abort();
    for (const { worker, ended } of this.#running.reverse()) {
      worker.terminate(gracePeriod());
      await ended;
    }
  }
}
