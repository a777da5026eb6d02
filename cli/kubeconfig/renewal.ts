// Credentials that end, or change, while a run lasts: a private file that all processes of the run read, kept up to date.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Given, Source } from './exec.js';

/** Milliseconds after which a failed renewal is tried again. */
const afterFailure = 5_000;
/** Milliseconds before the end at which a credential is renewed, where it lasts long enough. */
const margin = 60_000;

/**
 * Writes the credential of a source to a new file, and again whenever it has to be renewed, for as long as this process
 * lives. What fails later is said on stderr, and tried again. Throws what the first read throws.
 */
export function keepRenewed(source: Source): string {
  const first = source.now();
  const folder = mkdtempSync(join(tmpdir(), 'kube-api-conformance-credential-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'credential.json');
  const write = ({ credential }: Given): void => {
    writeFileSync(`${file}.new`, JSON.stringify(credential), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  const later = (millis: number): void => {
    setTimeout(() => void again(), Math.min(millis, 2 ** 31 - 1)).unref();
  };
  const keep = (given: Given): void => {
    write(given);
    if (given.until !== undefined) later(pauseBefore(given.until));
  };
  const again = async (): Promise<void> => {
    try {
      keep(await source.again());
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      later(afterFailure);
    }
  };
  keep(first);
  return file;
}

/** A minute before the end; of what lasts less than two, at half of its time. */
function pauseBefore(until: number): number {
  const left = until - Date.now();
  return Math.max(1_000, left > 2 * margin ? left - margin : left / 2);
}
