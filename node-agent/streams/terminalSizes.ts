// The sizes of a terminal, as the client sends them: JSON objects one behind the other.

export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** Characters of one object, and sizes that wait to be read; of more, the oldest are forgotten. */
const maxObject = 1024;
const maxWaiting = 64;

/** Fed with bytes, read as an iterable that ends with the input, or with the first text that is no size. */
export class TerminalSizes implements AsyncIterable<TerminalSize> {
  readonly #waiting: TerminalSize[] = [];
  #text = '';
  #ended = false;
  #wake: () => void = () => {};

  /** Takes the sizes of a byte stream until its end. */
  static from(input: NodeJS.ReadableStream): TerminalSizes {
    const sizes = new TerminalSizes();
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
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TerminalSize> {
    for (;;) {
      const size = this.#waiting.shift();
      if (size !== undefined) yield size;
      else if (this.#ended) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

/** Undefined where the text is no size. */
function parseSize(text: string): TerminalSize | undefined {
  try {
    const { Width: width, Height: height } = JSON.parse(text) as Record<string, unknown>;
    return isUint16(width) && isUint16(height) ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

const isUint16 = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff;
