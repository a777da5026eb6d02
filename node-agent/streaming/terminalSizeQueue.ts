// The sizes of a terminal: the client sends JSON objects, one after the other.
import { Condition } from '../kernel/condition.js';

export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** The most characters of one object. */
const maxObject = 1024;
/** The most unread sizes; the oldest are dropped. */
const maxWaiting = 64;

/** Receives bytes and yields sizes. Ends with the input, or at the first invalid text. */
export class TerminalSizeQueue implements AsyncIterable<TerminalSize> {
  readonly #waiting: TerminalSize[] = [];
  #text = '';
  #ended = false;
  readonly #changed = new Condition();

  /** Returns a queue of the sizes in a byte stream. */
  static from(input: NodeJS.ReadableStream): TerminalSizeQueue {
    const sizes = new TerminalSizeQueue();
    input.on('data', (bytes: Buffer) => sizes.receive(bytes));
    input.on('end', () => sizes.end());
    input.on('close', () => sizes.end());
    return sizes;
  }

  receive(bytes: Buffer): void {
    if (this.#ended) return;
    const objects = (this.#text + bytes.toString('latin1')).split('}');
    this.#text = objects.pop() ?? '';
    const sizes = objects.map((text) => parseSize(`${text}}`));
    const bad = sizes.indexOf(undefined);
    if (bad !== -1 || this.#text.length > maxObject) this.#ended = true;
    this.#waiting.push(...sizes.slice(0, bad === -1 ? undefined : bad).filter((size) => size !== undefined));
    this.#waiting.splice(0, this.#waiting.length - maxWaiting);
    this.#changed.notify();
  }

  end(): void {
    this.#ended = true;
    this.#changed.notify();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TerminalSize> {
    for (;;) {
      const size = this.#waiting.shift();
      if (size !== undefined) yield size;
      else if (this.#ended) return;
      else await this.#changed.wait();
    }
  }
}

/**
 * Parses a size as Go does, in which kubelets are written: the case of the letters of a name does not matter, and a
 * number that is absent or null is zero. Returns undefined if the text is invalid.
 */
function parseSize(text: string): TerminalSize | undefined {
  let size: unknown;
  try {
    size = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof size !== 'object' || size === null) return undefined;
  const fields = new Map(Object.entries(size).map(([name, value]) => [name.toLowerCase(), value as unknown]));
  const width = fields.get('width') ?? 0;
  const height = fields.get('height') ?? 0;
  return isUint16(width) && isUint16(height) ? { width, height } : undefined;
}

const isUint16 = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff;
