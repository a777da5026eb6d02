// The parts of a path that looks like that of a resource, whether the server has the resource or not.

/** A path below `/api` or `/apis`. */
export interface ResourcePath {
  readonly root: '/api' | '/apis';
  /** Empty for the core group. */
  readonly group: string;
  /** Empty if the path ends before it. */
  readonly version: string;
  /** The name of the resource as sent; empty if the path ends before it. */
  readonly plural: string;
  readonly namespace: string | undefined;
  /** The segments after the resource: the name of an object, then a subresource. */
  readonly rest: readonly string[];
}

/** A version such as `v1`, `v2beta3`. */
const isVersion = (segment: string | undefined): boolean => /^v\d+((alpha|beta)\d+)?$/.test(segment ?? '');

/**
 * Splits a path. A version in the place of a group, as in `/apis/v1/pods`, counts as the core group, and a group in the
 * place of the core version as that group. Returns undefined for a path that is not a resource's, such as one with an empty
 * segment.
 */
export function resourcePathOf(pathname: string): ResourcePath | undefined {
  const [, root, ...segments] = pathname.replace(/\/$/, '').split('/');
  const [first] = segments;
  if ((root !== 'api' && root !== 'apis') || first === undefined || segments.includes('')) return undefined;
  const isCore = isVersion(first);
  if (root === 'api' && !isCore && !isVersion(segments[1])) return undefined;
  const [group = '', version = ''] = isCore ? ['', first] : segments;
  const below = segments.slice(isCore ? 1 : 2);
  if (below[0] === 'proxy') return undefined;
  if (below[0] === 'watch') below.shift();
  // `namespaces/a` and its subresources `status` and `finalize` belong to the namespace itself.
  const isNamespaced = below[0] === 'namespaces' && below.length > 2 && !/^(status|finalize)$/.test(below[2] ?? '');
  const [plural = '', ...rest] = isNamespaced ? below.slice(2) : below;
  return {
    root: `/${root}`,
    group,
    version,
    plural,
    namespace: isNamespaced ? below[1] : undefined,
    rest,
  };
}
