// After the last case: one file of evidence, the verdict and the reports.
import { createReadStream, createWriteStream, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { reportOn } from '../reporting.js';

/**
 * Merges the parts of the evidence, judges it and writes the reports. `written` is called before the summary is printed.
 * Returns the exit code of the verdict.
 */
export async function report(directory: string, parts: string, written: () => void): Promise<number> {
  const merged = join(directory, 'evidence.jsonl');
  const files = readdirSync(parts).sort();
  await pipeline(bytesOf(files.map((file) => join(parts, file))), createWriteStream(merged, { mode: 0o600 }));
  rmSync(parts, { recursive: true });
  return await reportOn([merged], directory, { shardAlone: true, written });
}

/** One stream for all: a pipe for each would leave its listeners on the file that they share. */
async function* bytesOf(files: readonly string[]): AsyncGenerator<Buffer> {
  for (const file of files) yield* createReadStream(file) as AsyncIterable<Buffer>;
}
