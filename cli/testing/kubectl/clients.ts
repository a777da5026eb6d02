// The kubectls that tests use.
import { execFileSync } from 'node:child_process';

/** A kubectl: its command, and its version. */
export interface Kubectl {
  readonly command: string;
  /** The minor version of kubectl 1. */
  readonly minor: number;
  readonly version: string;
}

/** The commands that KUBECTL names, separated by colons, or the one on the PATH. */
export const clients: readonly Kubectl[] = (process.env.KUBECTL ?? 'kubectl').split(':').flatMap((command) => {
  try {
    const text = execFileSync(command, ['version', '--client', '-o', 'json'], { encoding: 'utf8', stdio: 'pipe' });
    const { clientVersion } = JSON.parse(text) as { clientVersion: { minor: string; gitVersion: string } };
    return [{ command, minor: Number.parseInt(clientVersion.minor, 10), version: clientVersion.gitVersion }];
  } catch {
    return [];
  }
});

/** The newest of them; undefined if there is none. */
export const newest = clients.toSorted((one, other) => other.minor - one.minor)[0];
