// The values of options: files, durations, and the error about one.
import { whyNot } from '../matrix/api/fileFailure.js';
import { awaitText } from '../matrix/api/readText.js';

/** An invalid start-up option. The message is one line that says which option, why, and what to do. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** Reads the file of an option. Waits for who writes into a pipe. Throws an OptionError that begins with `where`. */
export async function readOptionFile(where: string, file: string): Promise<string> {
  try {
    return await awaitText(file);
  } catch (error) {
    throw new OptionError(`${where}: cannot read ${file}: ${whyNot(error)}`);
  }
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Returns a duration in milliseconds. Throws an OptionError that names the option. */
export function parseDuration(option: string, text: string): number {
  if (text === '0') return 0;
  if (!/^(\d+(\.\d+)?(ms|[smh]))+$/.test(text)) {
    throw new OptionError(`${option}: "${text}" is not a duration; give one like 2m, 90s or 1h30m, or 0`);
  }
  return [...text.matchAll(/(?<![\d.])([\d.]+)([a-z]+)/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * (units[unit as string] as number),
    0,
  );
}
