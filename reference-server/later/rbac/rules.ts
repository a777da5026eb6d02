// What one rule of a role allows, and which rules it covers.
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
    hasAny(rule.apiGroups, '*', group) && coversResource(rule.resources, named) && isOfName(rule.resourceNames, name)
  );
}

/** A right that cannot be divided: one verb on one resource or path, or on one object. */
export interface Right {
  readonly verb: string;
  readonly group?: string;
  /** With its subresource, as in `pods/log`. */
  readonly resource?: string;
  readonly name?: string;
  readonly path?: string;
}

/** Reports whether a rule grants a right. */
export function covers(rule: Rule, { verb, group, resource, name, path }: Right): boolean {
  if (!hasAny(rule.verbs, '*', verb)) return false;
  if (path !== undefined) return coversPath(rule.nonResourceURLs, path);
  return (
    hasAny(rule.apiGroups, '*', group ?? '') &&
    coversResource(rule.resources, resource ?? '') &&
    // A right on all objects needs a rule for all objects.
    ((rule.resourceNames ?? []).length === 0 || (name !== undefined && hasAny(rule.resourceNames, name)))
  );
}

/** `pods` is covered by `*`; `pods/log` also by the same subresource of all resources. */
function coversResource(resources: Names, resource: string): boolean {
  if (hasAny(resources, '*', resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && hasAny(resources, `*${resource.slice(slash)}`);
}

const isOfName = (names: Names, name: string): boolean =>
  names === undefined || names.length === 0 || hasAny(names, name);

const coversPath = (patterns: Names, path: string): boolean =>
  patterns?.some((pattern) =>
    pattern.endsWith('*') ? path.startsWith(pattern.replace(/(?<!\*)\*+$/, '')) : pattern === path,
  ) === true;

/** Yields each right of a rule. */
export function* rightsOf({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: Rule) {
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        for (const name of names) yield { group, resource, verb, ...(name !== undefined && { name }) } satisfies Right;
      }
    }
  }
  for (const path of nonResourceURLs) for (const verb of verbs) yield { path, verb } satisfies Right;
}
