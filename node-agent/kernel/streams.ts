// Byte streams between programs: readers pull and writers wait, so that memory stays bounded.
import type { Readable, Writable } from 'node:stream';

/** A condition variable: waiters continue when their state may have changed. */
export class ConditionVariable {
  #waiters: (() => void)[] = [];

  /** Resolves at the next `notify`, or at the signal. */
  wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#waiters.push(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  notify(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }
}

/** Thrown if the reader has closed the stream. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

/** The stdout or stderr of a program. */
export interface Output {
  /**
   * Writes bytes. Resolves when there is room for more. Rejects with BrokenPipe if the reader has closed the stream.
   */
  write(chunk: Buffer): Promise<void>;
}

export const writeText = (output: Output, text: string): Promise<void> => output.write(Buffer.from(text));

interface ByteSource {
  /** Returns the next bytes, or undefined at the end. */
  read(): Promise<Buffer | undefined>;
  /** Called when the reader stops reading. */
  close(): void;
}

/** The stdin of a program. Several programs may read from the same input, one after the other. */
export class Input {
  readonly #source: ByteSource;
  readonly #returned: Buffer[] = [];

  constructor(source: ByteSource) {
    this.#source = source;
  }

  async read(): Promise<Buffer | undefined> {
    return this.#returned.pop() ?? (await this.#source.read());
  }

  /** Puts bytes back; the next read returns them. */
  unread(chunk: Buffer): void {
    if (chunk.length > 0) this.#returned.push(chunk);
  }

  close(): void {
    this.#returned.length = 0;
    this.#source.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, void> {
    for (let chunk = await this.read(); chunk !== undefined; chunk = await this.read()) yield chunk;
  }
}

/** The bytes that a pipe buffers before its writer waits. */
const capacity = 65_536;

/** Makes a pipe: `input` reads the bytes that `output` writes, until `end` is called. */
export function makePipe(): { readonly input: Input; readonly output: Output; end(): void } {
  const chunks: Buffer[] = [];
  let held = 0;
  let ended = false;
  let closed = false;
  const changed = new ConditionVariable();
  const read = async (): Promise<Buffer | undefined> => {
    while (chunks.length === 0 && !ended && !closed) await changed.wait();
    const chunk = chunks.shift();
    held -= chunk?.length ?? 0;
    changed.notify();
    return chunk;
  };
  const close = () => {
    closed = true;
    chunks.length = 0;
    held = 0;
    changed.notify();
  };
  const write = async (chunk: Buffer): Promise<void> => {
    if (closed || ended) throw new BrokenPipe('the pipe is closed');
    if (chunk.length === 0) return;
    chunks.push(chunk);
    held += chunk.length;
    changed.notify();
    while (held >= capacity && !closed) await changed.wait();
    if (closed) throw new BrokenPipe('the pipe is closed');
  };
  const end = () => {
    ended = true;
    changed.notify();
  };
  return { input: new Input({ read, close }), output: { write }, end };
}

export const emptyInput = (): Input => new Input({ read: async () => undefined, close: () => {} });

/** Returns an input that reads from a Node.js stream. An error of the stream counts as its end. */
export function inputFrom(stream: Readable): Input {
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
  let closed = false;
  return new Input({
    read: async () => {
      if (closed) return undefined;
      const next = await iterator.next().catch(() => ({ done: true, value: undefined }) as const);
      return next.done ? undefined : Buffer.from(next.value as Buffer);
    },
    close: () => {
      closed = true;
      stream.destroy();
    },
  });
}

/** Returns an output that writes to a Node.js stream. A write rejects with BrokenPipe if the stream is closed. */
export function outputTo(stream: Writable): Output {
  return {
    write: (chunk) =>
      new Promise((resolve, reject) => {
        if (stream.destroyed || stream.writableEnded) return reject(new BrokenPipe('the stream is closed'));
        if (stream.write(chunk)) return resolve();
        const settle = () => {
          stream.off('drain', settle).off('close', settle).off('error', settle);
          if (stream.destroyed) reject(new BrokenPipe('the stream was closed'));
          else resolve();
        };
        stream.once('drain', settle).once('close', settle).once('error', settle);
      }),
  };
}

/** Reads a line with its newline, if it has one. Returns undefined at the end. A line is cut after `limit` bytes. */
export async function readLine(input: Input, limit = 1_048_576): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < limit) {
    const chunk = await input.read();
    if (chunk === undefined) break;
    const newline = chunk.indexOf(0x0a);
    const taken = newline < 0 ? chunk : chunk.subarray(0, newline + 1);
    parts.push(taken);
    length += taken.length;
    if (newline >= 0) {
      input.unread(chunk.subarray(newline + 1));
      break;
    }
  }
  return parts.length === 0 ? undefined : Buffer.concat(parts);
}
