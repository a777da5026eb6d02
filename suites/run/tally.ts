// The progress of a run in cases and requests, added up test by test.

/** The progress of a run, in cases. */
export interface RunTally {
  readonly total: number;
  readonly done: number;
  /** The number of undeclared failures so far. */
  readonly failed: number;
  /** The number of cases so far whose prerequisite failed. */
  readonly blocked: number;
  /** The part of the run that is done, from 0 to 1, by the requests that the cases take. */
  readonly part: number;
}

export const noCases: RunTally = { total: 0, done: 0, failed: 0, blocked: 0, part: 0 };

/** The numbers of a test that ended. */
export interface EndedTest {
  readonly cases: number;
  readonly failed: number;
  readonly blocked: number;
  /** The expected requests, and those of them of skipped cases: these take no time, so they say nothing about the others. */
  readonly requests: number;
  readonly unsent: number;
}

export class Tally {
  #now: RunTally;
  #requests: { all: number; done: number };

  /** `total`: the number of cases; `requests`: what they are expected to send. */
  constructor(total = 0, requests = 0) {
    this.#now = { ...noCases, total };
    this.#requests = { all: requests, done: 0 };
  }

  get now(): RunTally {
    return this.#now;
  }

  add({ cases, failed, blocked, requests, unsent }: EndedTest): void {
    this.#requests = { all: this.#requests.all - unsent, done: this.#requests.done + requests - unsent };
    const { total, done, ...before } = this.#now;
    this.#now = {
      total,
      done: done + cases,
      failed: before.failed + failed,
      blocked: before.blocked + blocked,
      part: this.#requests.done / this.#requests.all,
    };
  }
}
