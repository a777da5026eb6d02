// Credentials that expire before a run ends, read again from a file that the command line keeps up to date.
import { readFileSync, statSync } from 'node:fs';
import type { Credential } from '../requirements/index.js';

/** Milliseconds after which the file is read again. */
const interval = 1_000;

interface CachedCredential {
  readonly credential: Credential;
  readonly modified: number;
  readonly at: number;
}

const seen = new Map<string, CachedCredential>();

/** Returns the credential in such a file, at most one second old; the same object until the credential changes. */
export function renewed(file: string): Credential {
  const last = seen.get(file);
  const at = performance.now();
  if (last !== undefined && at - last.at < interval) return last.credential;
  const { mtimeMs: modified } = statSync(file);
  const credential =
    last?.modified === modified ? last.credential : (JSON.parse(readFileSync(file, 'utf8')) as Credential);
  seen.set(file, { credential, modified, at });
  return credential;
}
