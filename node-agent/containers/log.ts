// What a container has said: lines with their times, as long as there is room; read at once, or followed.
import type { Output } from '../programs/streams.js';
import { formatTime, now } from './time.js';

interface Entry {
  /** Nanoseconds since 1970. */
  readonly time: bigint;
  /** With its newline where it has one: a long line is several entries. */
  readonly bytes: Buffer;
}

/** What of a log is read (Pod log). */
export interface LogOptions {
  readonly follow?: boolean;
  /** Nanoseconds since 1970: nothing that was said before. */
  readonly since?: bigint;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
}

/** Bytes of a line that are held back until its newline; runtimes split there. */
const maxLine = 16_384;
/** Bytes after which a writer lets the others go first. */
const turn = 65_536;
const newline = 0x0a;

export class ContainerLog {
  #entries: Entry[] = [];
  /** How many entries have been dropped for want of room. */
  #dropped = 0;
  #size = 0;
  #sinceTurn = 0;
  #last = 0n;
  #ended = false;
  #waiting: (() => void)[] = [];
  readonly #unfinished: (() => void)[] = [];

  /** `limit`: bytes that are kept; the oldest lines go first. */
  constructor(readonly limit = 10_485_760) {}

  /** An output of the container. Its lines get the time of their newline. */
  writer(): Output {
    let held: Buffer[] = [];
    let length = 0;
    const flush = () => {
      if (length > 0) this.#add(this.#now(), Buffer.concat(held));
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
        this.#sinceTurn += chunk.length;
        if (this.#sinceTurn < turn) return;
        this.#sinceTurn = 0;
        await new Promise((resolve) => setImmediate(resolve));
      },
    };
  }

  /** Adds a line with a time of its own, in milliseconds since 1970. */
  backdate(time: number, line: Buffer): void {
    this.#add(BigInt(Math.round(time * 1000)) * 1000n, line);
  }

  /** Nothing more comes. */
  end(): void {
    for (const flush of this.#unfinished) flush();
    this.#ended = true;
    this.#announce();
  }

  /** The log by the options: first the last lines are taken, then those since the time, then the bytes are cut. */
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
        await this.#changed(signal);
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
    // a quarter goes at once: moving the rest for every line would cost more than the lines
    if (this.#size > this.limit) {
      while (this.#size > this.limit * 0.75 && drop < this.#entries.length - 1) {
        this.#size -= this.#entries[drop++]?.bytes.length ?? 0;
      }
      this.#entries = this.#entries.slice(drop);
      this.#dropped += drop;
    }
    this.#announce();
  }

  /** The time now, later than that of every line before. */
  #now(): bigint {
    const time = now();
    this.#last = time > this.#last ? time : this.#last + 1n;
    return this.#last;
  }

  #announce(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.push(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
