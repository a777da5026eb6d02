// The log of a container: its last lines with their times.

import { setImmediate } from 'node:timers/promises';
import { currentTime, formatTime } from '../api/time.js';
import { ConditionVariable, type Output } from '../kernel/streams.js';

interface Entry {
  /** In nanoseconds since 1970. */
  readonly time: bigint;
  /** The bytes with the newline, if there is one. A long line is several entries. */
  readonly bytes: Buffer;
}

/** The parameters of the API's `log`. */
export interface LogOptions {
  readonly follow?: boolean;
  /** In nanoseconds since 1970; older lines are omitted. */
  readonly since?: bigint;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
}

/** The length at which a line is split, in bytes, as in container runtimes. */
const maxLine = 16_384;
/** The bytes that may be written before other work of the agent runs. */
const yieldBytes = 65_536;
const newline = 0x0a;

export class ContainerLog {
  #entries: Entry[] = [];
  /** The number of entries that were dropped because of the limit. */
  #dropped = 0;
  #size = 0;
  #sinceYield = 0;
  #last = 0n;
  #ended = false;
  readonly #changed = new ConditionVariable();
  readonly #unfinished: (() => void)[] = [];

  /** `limit` is the most bytes of the log. The oldest lines are dropped first. */
  constructor(readonly limit = 10_485_760) {}

  /** Returns an output that writes to the log. The time of a line is the time of its newline. */
  writer(): Output {
    let held: Buffer[] = [];
    let length = 0;
    const flush = () => {
      if (length > 0) this.#add(this.#nextTime(), Buffer.concat(held));
      held = [];
      length = 0;
    };
    this.#unfinished.push(flush);
    return {
      write: async (chunk) => {
        for (let at = 0; at < chunk.length; ) {
          const found = chunk.indexOf(newline, at);
          const end = Math.min(found < 0 ? chunk.length : found + 1, at + maxLine - length);
          held.push(Buffer.from(chunk.subarray(at, end)));
          length += end - at;
          if (length >= maxLine || chunk[end - 1] === newline) flush();
          at = end;
        }
        this.#sinceYield += chunk.length;
        if (this.#sinceYield < yieldBytes) return;
        this.#sinceYield = 0;
        await setImmediate();
      },
    };
  }

  /** Adds a line with a given time, in milliseconds since 1970. */
  backdate(time: number, line: Buffer): void {
    this.#add(BigInt(Math.round(time * 1000)) * 1000n, line);
  }

  end(): void {
    for (const flush of this.#unfinished) flush();
    this.#ended = true;
    this.#changed.notify();
  }

  /** Reads the log: `tailLines` is applied first, then `since`, then `limitBytes`. */
  async *read(options: LogOptions, signal: AbortSignal): AsyncGenerator<Buffer, void, void> {
    const { follow = false, since, timestamps = false, tailLines, limitBytes = Number.POSITIVE_INFINITY } = options;
    let left = limitBytes;
    let at = this.#dropped;
    if (tailLines !== undefined) at = Math.max(at, this.#dropped + this.#entries.length - tailLines);
    let lineStart = true;
    while (!signal.aborted) {
      at = Math.max(at, this.#dropped);
      const entry = this.#entries[at - this.#dropped];
      if (entry === undefined) {
        if (this.#ended || !follow) return;
        await this.#changed.wait(signal);
        continue;
      }
      at++;
      if (since !== undefined && entry.time < since) continue;
      const prefix = timestamps && lineStart ? Buffer.from(`${formatTime(entry.time)} `) : undefined;
      lineStart = entry.bytes.at(-1) === newline;
      const whole = prefix === undefined ? entry.bytes : Buffer.concat([prefix, entry.bytes]);
      yield whole.length > left ? whole.subarray(0, left) : whole;
      left -= whole.length;
      if (left <= 0) return;
    }
  }

  #add(time: bigint, bytes: Buffer): void {
    this.#entries.push({ time, bytes });
    this.#size += bytes.length;
    let drop = 0;
    // Drop a quarter at a time: dropping one line for each new line would copy the array each time.
    if (this.#size > this.limit) {
      while (this.#size > this.limit * 0.75 && drop < this.#entries.length - 1) {
        this.#size -= this.#entries[drop++]?.bytes.length ?? 0;
      }
      this.#entries = this.#entries.slice(drop);
      this.#dropped += drop;
    }
    this.#changed.notify();
  }

  /** Returns the current time, or a later one, so that times increase. */
  #nextTime(): bigint {
    const time = currentTime();
    this.#last = time > this.#last ? time : this.#last + 1n;
    return this.#last;
  }
}
