// The sizes of a terminal: the client sends JSON objects, one after the other.
import type { Readable } from 'node:stream';

export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** The most characters of one object. */
const maxObject = 1024;
/** Yields the sizes that a client sends. Ends with the input, or at the first invalid text; the rest is dropped. */
export async function* terminalSizes(input: Readable | undefined): AsyncGenerator<TerminalSize> {
  let text = '';
  try {
    for await (const bytes of input?.iterator({ destroyOnReturn: false }) ?? []) {
      const objects = (text + (bytes as Buffer).toString('latin1')).split('}');
      text = objects.pop() ?? '';
      for (const object of objects) {
        const size = parseSize(`${object}}`);
        if (size === undefined) return;
        yield size;
      }
      if (text.length > maxObject) return;
    }
  } catch {
    // The client is gone, and sends no more sizes.
  } finally {
    input?.resume();
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
