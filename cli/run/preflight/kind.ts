// The kind of server that a target is, and the package's target file for this kind.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot, shownPath } from '../../files.js';

/** Returns the version in a response of `/version`, or undefined. */
export function versionOf(answer: unknown): string | undefined {
  const { gitVersion } = (answer ?? {}) as { readonly gitVersion?: unknown };
  return typeof gitVersion === 'string' ? gitVersion : undefined;
}

/**
 * Returns a sentence that suggests the package's target file of this version, or of the nearest one; the newer of two
 * that are as near. A version with a suffix, such as `v1.20.2+k3s1`, is a derived server, for which the file may not
 * fit. Undefined if the version is not that of a Kubernetes release.
 */
export function offerOf(version: string): string | undefined {
  const [, minor, suffix = ''] = /^v?1\.(\d+)\.\d+(?!\d)(.*)$/.exec(version) ?? [];
  // The bundled server names a Kubernetes version too, and needs no deviations.
  if (minor === undefined || suffix.includes('kube-api-conformance')) return undefined;
  const [nearest] = shippedMinors().sort(
    (one, other) => Math.abs(one - Number(minor)) - Math.abs(other - Number(minor)) || other - one,
  );
  if (nearest === undefined) return undefined;
  const file = shownPath(join(packageRoot, 'targets', `kube-apiserver-1.${nearest}.yaml`));
  const likeness = suffix === '' ? 'this is' : 'this looks like';
  const declared =
    nearest === Number(minor) ? 'its known deviations' : `the known deviations of 1.${nearest}, the nearest`;
  return `${likeness} kube-apiserver 1.${minor} (${version}), and the interface is that of 1.5; add --target ${file} to declare ${declared}`;
}

/** Returns the minor versions of kube-apiserver that have a target file in this package. */
const shippedMinors = (): number[] =>
  readdirSync(join(packageRoot, 'targets')).flatMap((name) => {
    const minor = /^kube-apiserver-1\.(\d+)\.yaml$/.exec(name)?.[1];
    return minor === undefined ? [] : [Number(minor)];
  });
