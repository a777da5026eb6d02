// Retries with an increasing delay.
import { setTimeout } from 'node:timers/promises';

export class Backoff {
  #next: number;

  /** The first and the longest delay, in milliseconds. */
  constructor(
    readonly first = 100,
    readonly longest = 10_000,
  ) {
    this.#next = first;
  }

  reset(): void {
    this.#next = this.first;
  }

  /** Resolves after the next delay, or at the signal. */
  async wait(signal: AbortSignal): Promise<void> {
    // A random delay, so that clients that failed together do not return together.
    const milliseconds = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(this.#next * 2, this.longest);
    await setTimeout(milliseconds, undefined, { signal }).catch(() => {});
  }
}

/** Receives the error before a retry. */
export type OnError = (error: Error) => void;

export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Calls `attempt` until it succeeds, or until the signal. Never rejects. */
export async function retry(attempt: () => Promise<void>, signal: AbortSignal, onError: OnError): Promise<void> {
  const backoff = new Backoff();
  while (!signal.aborted) {
    try {
      return await attempt();
    } catch (error) {
      onError(toError(error));
      await backoff.wait(signal);
    }
  }
}
