// The end of a container: its hook, SIGTERM, and SIGKILL when its grace period is over.

import { longestDelay } from '../../matrix/api/longestDelay.js';
import { firstOf } from '../../matrix/api/signals.js';
import type { Container } from '../containers/container.js';
import { type HookPlace, runPreStop } from './hooks.js';

/** The milliseconds that a container has for its end after a hook that has taken all its grace period. */
const leastPeriod = 2000;

export class Stop {
  readonly container: Container;
  readonly #begun = performance.now();
  readonly #place: HookPlace;
  #gracePeriod = Number.POSITIVE_INFINITY;
  #deadline = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** Aborts when the hook must end. */
  readonly #hook = new AbortController();
  #isAsked = false;

  /** Nothing happens before `within`. */
  constructor(place: HookPlace) {
    this.#place = place;
    this.container = place.container;
  }

  /** Sets the grace period, in seconds from the beginning, unless there is a shorter one. Without any, no hook runs. */
  within(gracePeriod: number): void {
    if (gracePeriod >= this.#gracePeriod) return;
    const isFirst = this.#gracePeriod === Number.POSITIVE_INFINITY;
    this.#gracePeriod = gracePeriod;
    if (gracePeriod <= 0) {
      this.#kill();
      return;
    }
    this.#killAt(this.#begun + gracePeriod * 1000);
    if (!isFirst) return;
    const { signal } = this.#hook;
    if (this.#place.spec.lifecycle?.preStop === undefined) this.#ask();
    else void runPreStop(this.#place, firstOf(signal, this.container.signal)).then(() => this.#ask());
  }

  /** Must be called when the container has ended. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#hook.abort();
  }

  #killAt(deadline: number): void {
    this.#deadline = deadline;
    clearTimeout(this.#timer);
    const left = deadline - performance.now();
    // A longer time would make the timer end at once.
    this.#timer = setTimeout(
      () => (left > longestDelay ? this.#killAt(deadline) : this.#expire()),
      Math.min(left, longestDelay),
    );
  }

  #expire(): void {
    if (this.#isAsked) this.#kill();
    else this.#hook.abort();
  }

  /** Sends SIGTERM. */
  #ask(): void {
    if (this.#isAsked || this.container.exitCode !== undefined) return;
    this.#isAsked = true;
    this.container.terminate();
    const least = performance.now() + leastPeriod;
    if (this.#place.spec.lifecycle?.preStop !== undefined && this.#deadline < least) this.#killAt(least);
  }

  #kill(): void {
    this.#isAsked = true;
    this.finish();
    this.container.kill();
  }
}
