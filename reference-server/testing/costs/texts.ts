// Texts of any length: a beginning, a repeated unit, an end. Such texts reveal quadratic parsers.
import { StatusError } from '../../statusError.js';
import type { Work } from './growth.js';

/** Makes a text of about this many bytes. */
export type Pump = (bytes: number) => string;

/** Returns a text with a repeated unit. A unit that is a function of its number makes all units different. */
export function pump(start: string, unit: string | ((index: number) => string), end: string): Pump {
  return (bytes) => {
    if (typeof unit === 'string') return start + unit.repeat(Math.ceil(bytes / Math.max(1, unit.length))) + end;
    const parts = [start];
    for (let length = 0, index = 0; length < bytes; index += 1) {
      const part = unit(index);
      length += part.length;
      parts.push(part);
    }
    return parts.join('') + end;
  };
}

/** Returns the length of the result of a function, or of its refusal. Throws errors other than StatusError. */
function lengthOf(run: () => Uint8Array | string | undefined): number {
  try {
    return run()?.length ?? 0;
  } catch (error) {
    return refusal(error);
  }
}

/** Does the same for an asynchronous function. */
export async function lengthOfAsync(run: () => Promise<unknown>): Promise<number> {
  try {
    const result = await run();
    return result instanceof Uint8Array || typeof result === 'string' ? result.length : 0;
  } catch (error) {
    return refusal(error);
  }
}

/** Returns the length of a refusal as it is sent. Throws all other errors. */
function refusal(error: unknown): number {
  if (!(error instanceof StatusError)) throw error;
  if (error.code >= 500) throw error;
  return JSON.stringify(error.toStatus()).length;
}

export function textWorks(
  what: string,
  pumps: Readonly<Record<string, Pump>>,
  run: (text: string) => Uint8Array | string | undefined,
): Work[] {
  return Object.entries(pumps).map(([name, make]) => ({
    name: `${what}: ${name}`,
    prepare(bytes) {
      const text = make(bytes);
      return () => lengthOf(() => run(text));
    },
  }));
}
