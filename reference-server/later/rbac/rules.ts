// What one rule of a role allows.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Attributes } from '../../authorization/attributes.js';

export type Rule = ObjectOf<'rbac.v1.PolicyRule'>;

type Names = readonly string[] | undefined;

const hasAny = (names: Names, ...wanted: readonly string[]): boolean =>
  names?.some((name) => wanted.includes(name)) === true;

/** Reports whether a rule allows a request. */
export function allows(rule: Rule, attributes: Attributes): boolean {
  const { verb } = attributes;
  if (!hasAny(rule.verbs, '*', verb)) return false;
  if ('path' in attributes) return coversPath(rule.nonResourceURLs, attributes.path);
  const { group, resource, subresource, name } = attributes;
  const named = subresource === '' ? resource : `${resource}/${subresource}`;
  return (
    hasAny(rule.apiGroups, '*', group) &&
    coversResource((name) => hasAny(rule.resources, name), named) &&
    isOfName(rule.resourceNames, name)
  );
}

/** Reports whether names cover a resource: `pods` is covered by `*`; `pods/log` also by the same subresource of all. */
export function coversResource(has: (name: string) => boolean, resource: string): boolean {
  if (has('*') || has(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && has(`*${resource.slice(slash)}`);
}

const isOfName = (names: Names, name: string): boolean =>
  names === undefined || names.length === 0 || hasAny(names, name);

/** Reports whether one of the patterns covers a path. */
export function coversPath(patterns: Iterable<string> = [], path: string): boolean {
  for (const pattern of patterns) {
    if (pattern.endsWith('*') ? path.startsWith(pattern.replace(/(?<!\*)\*+$/, '')) : pattern === path) return true;
  }
  return false;
}
