// Byte streams between programs: whoever reads pulls, whoever writes waits, so that memory stays bounded.
import type { Readable, Writable } from 'node:stream';

/** The reader has gone: what is written is read by nobody. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

/** Where a program writes. */
export interface Output {
  /** Resolves once there is room for more. Rejects with BrokenPipe when nobody reads any more. */
  write(chunk: Buffer): Promise<void>;
}

interface Source {
  /** The next bytes; undefined at the end. */
  read(): Promise<Buffer | undefined>;
  /** The reader goes away. */
  close(): void;
}

/** Reads, or writes, after which everybody else goes first: what never waits would keep the agent to itself. */
export const turn = 64;

/** Where a program reads from. Several programs may read from one, one after the other. */
export class Input {
  readonly #source: Source;
  readonly #returned: Buffer[] = [];
  #reads = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** The next bytes; undefined at the end. */
  async read(): Promise<Buffer | undefined> {
    if (++this.#reads % turn === 0) await new Promise((resolve) => setImmediate(resolve));
    return this.#returned.pop() ?? (await this.#source.read());
  }

  /** Gives back what was read too much; the next read returns it. */
  unread(chunk: Buffer): void {
    if (chunk.length > 0) this.#returned.push(chunk);
  }

  /** Says that nobody reads any more. */
  close(): void {
    this.#returned.length = 0;
    this.#source.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, void> {
    for (let chunk = await this.read(); chunk !== undefined; chunk = await this.read()) yield chunk;
  }
}

/** The bytes that a pipe holds before its writer has to wait. */
const capacity = 65_536;

/** A pipe: what is written to `output` is read from `input`. `end` says that no more comes. */
export function pipe(): { readonly input: Input; readonly output: Output; end(): void } {
  const chunks: Buffer[] = [];
  let held = 0;
  let ended = false;
  let closed = false;
  let wake: (() => void)[] = [];
  const changed = () => new Promise<void>((resolve) => wake.push(resolve));
  const announce = () => {
    const waiting = wake;
    wake = [];
    for (const resolve of waiting) resolve();
  };
  const read = async (): Promise<Buffer | undefined> => {
    while (chunks.length === 0 && !ended && !closed) await changed();
    const chunk = chunks.shift();
    held -= chunk?.length ?? 0;
    announce();
    return chunk;
  };
  const close = () => {
    closed = true;
    chunks.length = 0;
    held = 0;
    announce();
  };
  const write = async (chunk: Buffer): Promise<void> => {
    if (closed || ended) throw new BrokenPipe('nobody reads');
    if (chunk.length === 0) return;
    chunks.push(chunk);
    held += chunk.length;
    announce();
    while (held >= capacity && !closed) await changed();
    if (closed) throw new BrokenPipe('nobody reads');
  };
  const end = () => {
    ended = true;
    announce();
  };
  return { input: new Input({ read, close }), output: { write }, end };
}

/** An input with nothing in it. */
export const emptyInput = (): Input => new Input({ read: async () => undefined, close: () => {} });

/** An input that holds these bytes. */
export function inputOf(...chunks: Buffer[]): Input {
  const left = [...chunks];
  return new Input({ read: async () => left.shift(), close: () => left.splice(0) });
}

/** Reads from a Node stream. A stream that breaks has ended. */
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

/** Writes to a Node stream; rejects with BrokenPipe once it is gone. */
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

/** Reads a line, with its newline where it has one; undefined at the end. A line over `limit` bytes is cut there. */
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
