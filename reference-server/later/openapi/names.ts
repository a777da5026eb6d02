// The names in OpenAPI documents: packages of definitions, tags, and the parts of operation ids.
import type { GroupVersion } from '../../../matrix/api/index.js';

type Named = Pick<GroupVersion, 'group' | 'version'>;

/** The package of the types that belong to no group. */
export const metaPackage = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Returns the package of a group version's types: `io.k8s.api.apps.v1`, or `com.example.v1` for `example.com/v1`. */
export function packageOf({ group, version }: Named): string {
  const [first = ''] = group.split('.');
  if (group === first || group.endsWith('.k8s.io')) return `io.k8s.api.${first || 'core'}.${version}`;
  return `${group.split('.').reverse().join('.')}.${version}`;
}

/** Splits an `apiVersion`, as in objects. */
export function splitApiVersion(apiVersion: string): Named {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}

/** Returns the group in an operation id: `Core`, `Apps`, `RbacAuthorization`. */
export function groupWord(group: string): string {
  return (group === '' ? 'core' : group.replace(/\.k8s\.io$/, '')).split('.').map(capital).join('');
}

/** Returns the group version in an operation id: `CoreV1`. */
export const versionWord = ({ group, version }: Named): string => groupWord(group) + capital(version);

/** Returns the tag of a group: `core`, `rbacAuthorization`. */
export function groupTag(group: string): string {
  const word = groupWord(group);
  return word.charAt(0).toLowerCase() + word.slice(1);
}

/** Returns the tag of a group version: `core_v1`. */
export const versionTag = ({ group, version }: Named): string => `${groupTag(group)}_${version}`;

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
