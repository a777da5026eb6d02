// What kind of server a target is, and which of the shipped target files is about that kind.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageRoot } from '../../package.js';

/** The version that an answer to `/version` tells; undefined where it tells none. */
export function versionOf(answer: unknown): string | undefined {
  const { gitVersion } = (answer ?? {}) as { readonly gitVersion?: unknown };
  return typeof gitVersion === 'string' ? gitVersion : undefined;
}

/**
 * A sentence that offers the shipped target file of this version; undefined where there is none. A version with a suffix,
 * such as `v1.20.2+k3s1`, is another server built from that one, which the file may not fit.
 */
export function offerOf(version: string): string | undefined {
  const [, minor, suffix = ''] = /^v?(\d+\.\d+)\.\d+(.*)$/.exec(version) ?? [];
  // the bundled server says which age it is of, and deviates in nothing
  if (minor === undefined || suffix.includes('kube-api-conformance')) return undefined;
  const file = join(packageRoot, 'targets', `kube-apiserver-${minor}.yaml`);
  if (!existsSync(file)) return undefined;
  const likeness = suffix === '' ? 'this is' : 'this looks like';
  return `${likeness} kube-apiserver ${minor} (${version}); add --target ${shownPath(file)} to declare its known deviations`;
}

/** As a user would type it. */
function shownPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}
