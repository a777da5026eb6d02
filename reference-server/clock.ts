// The clock of a server, which tests can move, and the back-off of retries.
import { longestDelay } from '../matrix/api/longestDelay.js';

/** Ends a timer. */
export type Cancel = () => void;

/** What code needs that reads the time or waits for it. */
export interface Clock {
  /** Returns the time of day. */
  now(): Date;
  /** Returns milliseconds that never go back, for durations. */
  elapsed(): number;
  /**
   * Calls a function once after a time, in milliseconds. A move of the clock does not stop for a `background` timer: it
   * calls it at its end.
   */
  after(millis: number, call: () => void, kind?: 'background'): Cancel;
}

interface Timer {
  /** The value of `elapsed` at which the timer is due. */
  readonly due: number;
  readonly call: () => void;
  readonly isBackground: boolean;
  handle: NodeJS.Timeout | undefined;
}

/** The limits of one move of the clock. The timers that are left then run at its end. */
export interface MoveOptions {
  /** How many timers run one by one; 10,000 by default. */
  readonly timers?: number;
  /** For how long they do, in milliseconds of real time; 10,000 by default. */
  readonly timeout?: number;
}

/** What a move of the clock did. */
export interface ClockMove {
  /** How many timers ran, each at its own time. */
  readonly timers: number;
  /** The time up to which every timer ran at its own time. */
  readonly until: Date;
  /** Whether no limit was met: `until` is the new time. */
  readonly complete: boolean;
}

const usual = { timers: 10_000, timeout: 10_000 };

/** A clock that runs as the clock of the machine does, and can be moved. */
export class MovableClock implements Clock {
  /** The distance of the time of day from that of the machine, in milliseconds. */
  #offset = 0;
  /** The time that moves have skipped, in milliseconds. */
  #skipped = 0;
  readonly #timers = new Set<Timer>();
  #moving: Promise<void> = Promise.resolve();

  /** `settle` resolves when what the last timers have started is done. */
  constructor(readonly settle: () => Promise<void> = async () => {}) {}

  readonly now = (): Date => new Date(Date.now() + this.#offset);

  elapsed(): number {
    return performance.now() + this.#skipped;
  }

  after(millis: number, call: () => void, kind?: 'background'): Cancel {
    const isBackground = kind === 'background';
    const timer: Timer = { due: this.elapsed() + millis, call, isBackground, handle: undefined };
    this.#timers.add(timer);
    this.#arm(timer);
    return () => {
      this.#timers.delete(timer);
      clearTimeout(timer.handle);
    };
  }

  /**
   * Moves the time forward, in milliseconds. Timers that become due are called in their order, each at its own time.
   * Resolves when `settle` has after the last one. Moves wait for each other.
   */
  advance(millis: number, limits: MoveOptions = {}): Promise<ClockMove> {
    return this.#next(() => this.#advance(millis, limits));
  }

  /** Sets the time of day. A later time is an `advance`; an earlier one changes no timers. */
  set(time: Date, limits: MoveOptions = {}): Promise<ClockMove> {
    return this.#next(async () => {
      const millis = time.getTime() - this.now().getTime();
      if (millis >= 0) return this.#advance(millis, limits);
      this.#offset += millis;
      return { timers: 0, until: this.now(), complete: true };
    });
  }

  /** Returns to the time of the machine. Timers keep the time that they have left. */
  reset(): Promise<void> {
    this.#moving = this.#moving.then(() => {
      this.#offset = 0;
    });
    return this.#moving;
  }

  /** Moves the clock after the moves before. */
  #next(move: () => Promise<ClockMove>): Promise<ClockMove> {
    const moved = this.#moving.then(move);
    this.#moving = moved.then(
      () => {},
      () => {},
    );
    return moved;
  }

  async #advance(millis: number, limits: MoveOptions): Promise<ClockMove> {
    const { timers: mostTimers = usual.timers, timeout = usual.timeout } = limits;
    // What has just begun sets its timers first.
    await this.settle();
    const end = this.elapsed() + millis;
    let left = millis;
    const skip = (by: number): void => {
      this.#offset += by;
      this.#skipped += by;
      left -= by;
    };
    const began = performance.now();
    let timers = 0;
    let due: Timer | undefined;
    for (;;) {
      due = this.#first();
      if (due === undefined || due.due > end) break;
      if (timers >= mostTimers || performance.now() - began >= timeout) break;
      skip(Math.min(left, Math.max(0, due.due - this.elapsed())));
      this.#call(due);
      timers += 1;
      await this.settle();
    }
    const complete = due === undefined || due.due > end;
    const reached = this.now();
    skip(left);
    for (const timer of [...this.#timers]) this.#arm(timer);
    await this.settle();
    return { timers, until: complete ? this.now() : reached, complete };
  }

  #first(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers)
      if (!timer.isBackground && (first === undefined || timer.due < first.due)) first = timer;
    return first;
  }

  #arm(timer: Timer): void {
    clearTimeout(timer.handle);
    const left = timer.due - this.elapsed();
    const due = (): void => (timer.due > this.elapsed() + 1 ? this.#arm(timer) : this.#call(timer));
    if (left <= 0 && timer.handle !== undefined) this.#call(timer);
    // A longer timer is set again.
    else timer.handle = setTimeout(due, Math.min(Math.max(0, left), longestDelay));
  }

  #call(timer: Timer): void {
    if (!this.#timers.delete(timer)) return;
    clearTimeout(timer.handle);
    timer.call();
  }
}

const firstMillis = 500;
const mostMillis = 60_000;

/** Returns the delay after a number of failures in a row, in milliseconds: it doubles each time, up to a minute. */
export function backOffMillis(failures: number): number {
  return Math.min(mostMillis, firstMillis * 2 ** (failures - 1));
}
