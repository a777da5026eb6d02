// Credentials that change during a run: kept current in a private file that all processes of the run read.

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { longestDelay } from '../../matrix/api/longestDelay.js';
import type { CredentialSource, ExecCredential } from './exec.js';

/** The delay after a failed renewal, in milliseconds. */
const afterFailure = 5_000;
/** The time before the expiry at which a credential is renewed, in milliseconds, if it lasts long enough. */
const margin = 60_000;

const renewals = new Set<NodeJS.Timeout>();

/** Ends all renewals of this process. */
export function endRenewals(): void {
  for (const timer of renewals) clearTimeout(timer);
  renewals.clear();
}

/**
 * Writes the credential of a source to a new file, and renews it for the life of this process. Later failures are
 * retried; the first of equal ones is printed to stderr. Throws the errors of the first read.
 */
export function keepFresh(source: CredentialSource): string {
  const first = source.now();
  const folder = mkdtempSync(join(tmpdir(), 'kube-api-conformance-credential-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'credential.json');
  const write = ({ credential }: ExecCredential): void => {
    writeFileSync(`${file}.new`, JSON.stringify(credential), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  const later = (millis: number): void => {
    const timer = setTimeout(
      () => {
        renewals.delete(timer);
        void again();
      },
      Math.min(millis, longestDelay),
    ).unref();
    renewals.add(timer);
  };
  let printed = '';
  const keep = (credential: ExecCredential): void => {
    write(credential);
    if (credential.until !== undefined) later(pauseBefore(credential.until));
  };
  const again = async (): Promise<void> => {
    try {
      keep(await source.again());
      printed = '';
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== printed) process.stderr.write(`${message}\n`);
      printed = message;
      later(afterFailure);
    }
  };
  keep(first);
  return file;
}

/**
 * Returns the delay of the next renewal, in milliseconds: until a minute before the expiry, or half of a rest of less
 * than two minutes.
 */
function pauseBefore(until: number): number {
  const left = until - Date.now();
  return Math.max(1_000, left > 2 * margin ? left - margin : left / 2);
}
