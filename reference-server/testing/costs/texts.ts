// Texts of any length: a beginning, a unit that is repeated, an end. What is quadratic in a parser shows by one of them.
import { StatusError } from '../../errors.js';
import type { Work } from './growth.js';

/** Makes a text of about so many bytes. */
export type Pump = (bytes: number) => string;

/** A text whose unit is repeated; one that depends on its number has no two alike. */
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

/** The length of what a function makes of its input: of the error where it refuses it. Only a StatusError refuses. */
function lengthOf(run: () => Uint8Array | string | undefined): number {
  try {
    return run()?.length ?? 0;
  } catch (error) {
    return refusal(error);
  }
}

/** The same of what takes its time. */
export async function lengthOfAsync(run: () => Promise<unknown>): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    return refusal(error);
  }
}

/** The length of a refusal as it is sent. Throws what is none. */
function refusal(error: unknown): number {
  if (!(error instanceof StatusError)) throw error;
  if (error.code >= 500) throw error;
  return JSON.stringify(error.toStatus()).length;
}

/** Works on texts, one for each of them. */
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
