// The kind of server that a target is, and the package's target file for this kind.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageRoot } from '../../files.js';

/** Returns the version in a response of `/version`, or undefined. */
export function versionOf(answer: unknown): string | undefined {
  const { gitVersion } = (answer ?? {}) as { readonly gitVersion?: unknown };
  return typeof gitVersion === 'string' ? gitVersion : undefined;
}

/**
 * Returns a sentence that suggests the package's target file for this version, or undefined if there is none. A version
 * with a suffix, such as `v1.20.2+k3s1`, is a derived server, for which the file may not fit.
 */
export function offerOf(version: string): string | undefined {
  const [, minor, suffix = ''] = /^v?(\d+\.\d+)\.\d+(.*)$/.exec(version) ?? [];
  // The bundled server names a Kubernetes version too, and needs no deviations.
  if (minor === undefined || suffix.includes('kube-api-conformance')) return undefined;
  const file = join(packageRoot, 'targets', `kube-apiserver-${minor}.yaml`);
  if (!existsSync(file)) return undefined;
  const likeness = suffix === '' ? 'this is' : 'this looks like';
  return `${likeness} kube-apiserver ${minor} (${version}); add --target ${shownPath(file)} to declare its known deviations`;
}

/** Returns the path as a user would type it. */
function shownPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}
