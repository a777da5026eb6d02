// Writes the status of a pod to the API server: always the latest status, one write at a time, with retries.
import { type ApiClient, isStatus } from '../api/apiClient.js';
import { Backoff } from '../api/backoff.js';
import type { Pod, PodStatus } from './types.js';

export class StatusManager {
  #pod: Pod;
  #changed = false;
  #writing: Promise<void> | undefined;

  /** `statusOf` makes the new status from the object's current one. Nothing is written after the signal. */
  constructor(
    pod: Pod,
    readonly client: ApiClient,
    readonly statusOf: (before: PodStatus | undefined) => PodStatus,
    readonly signal: AbortSignal,
  ) {
    this.#pod = pod;
  }

  /** Receives a newer version of the object. */
  update(pod: Pod): void {
    this.#pod = pod;
  }

  /** Writes the status after a change. Resolves when the status is written, or will never be. */
  write(): Promise<void> {
    this.#changed = true;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const backoff = new Backoff();
    // Combine simultaneous changes into one write.
    await Promise.resolve();
    while (this.#changed && !this.signal.aborted) {
      this.#changed = false;
      const path = podPath(this.#pod);
      try {
        const body = { apiVersion: 'v1', kind: 'Pod', ...this.#pod, status: this.statusOf(this.#pod.status) };
        this.#pod = await this.client.replace<Pod>(`${path}/status`, body);
      } catch (error) {
        if (isStatus(error, 404)) return;
        this.#changed = true;
        if (!isStatus(error, 409)) await backoff.wait(this.signal);
        if (!(await this.#refresh(path))) return;
      }
    }
  }

  /** Reads the object again. Returns false if it no longer exists. */
  async #refresh(path: string): Promise<boolean> {
    try {
      const found = await this.client.get<Pod>(path);
      if (found.metadata.uid !== this.#pod.metadata.uid) return false;
      this.#pod = found;
      return true;
    } catch (error) {
      return !isStatus(error, 404);
    }
  }
}

/** The path of a pod in the API. */
export const podPath = ({ metadata }: Pod): string => `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
