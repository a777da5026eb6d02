// Writes a pod's status to the API server: the newest one, one write at a time, until it is there.
import { type ApiClient, isStatus } from '../api/apiClient.js';
import { Backoff } from '../api/backoff.js';
import type { Pod, PodStatus } from './types.js';

export class StatusWriter {
  #pod: Pod;
  #wanted = false;
  #writing: Promise<void> | undefined;

  /** `status` gives the status to write, from what the object has. */
  constructor(
    pod: Pod,
    readonly client: ApiClient,
    readonly status: (before: PodStatus | undefined) => PodStatus,
    readonly signal: AbortSignal,
  ) {
    this.#pod = pod;
  }

  /** A newer object was seen. */
  observe(pod: Pod): void {
    this.#pod = pod;
  }

  /** The status has changed. Resolves once it is written, or never will be. */
  write(): Promise<void> {
    this.#wanted = true;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const backoff = new Backoff();
    // what changes at once is written at once
    await Promise.resolve();
    while (this.#wanted && !this.signal.aborted) {
      this.#wanted = false;
      const path = podPath(this.#pod);
      try {
        const status = this.status(this.#pod.status);
        const body = { apiVersion: 'v1', kind: 'Pod', ...this.#pod, status };
        this.#pod = await this.client.replace<Pod>(`${path}/status`, body);
      } catch (error) {
        if (isStatus(error, 404)) return;
        this.#wanted = true;
        if (!isStatus(error, 409)) await backoff.wait(this.signal);
        if (!(await this.#refresh(path))) return;
      }
    }
  }

  /** Reads the object anew; false when it is gone. */
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

/** The path of a pod's object. */
export const podPath = ({ metadata }: Pod): string => `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
