// The paths of operations, from the table of operations.
import { type Operation, operations, pathOf, type Resource, type Verb, verbs } from '../../matrix/api/index.js';

/** Returns the resource of an operation. Throws if the operation has none, as for discovery. */
export function resourceOf({ id, resource }: Operation): Resource {
  if (resource === undefined) throw new Error(`${id} has no resource`);
  return resource;
}

const templates = new Map(
  operations.flatMap(({ resource, verb, path }) =>
    resource === undefined ? [] : [[keyOf(resource, verb), path] as const],
  ),
);

function keyOf(resource: Resource, verb: Verb | 'discover'): string {
  return `${resource.groupVersion.prefix} ${resource.plural} ${verb}`;
}

/** Returns the path of a verb of a kind that only the target knows; undefined if the target does not declare the verb. */
function foundTemplate(resource: Resource, verb: Verb): string | undefined {
  return resource.stated.includes(verb) ? pathOf(resource, verbs[verb]) : undefined;
}

/** Returns a name as one segment of a path: a target with bugs can show any name. */
export const segment = (name: string): string => encodeURIComponent(name.toWellFormed());

export function fill(template: string, namespace: string | undefined, name?: string): string {
  return template
    .replace('{namespace}', segment(namespace ?? ''))
    .replace('{name}', segment(name ?? ''))
    .replace('{path}', '');
}

/**
 * Returns the path of a verb of a resource. Verbs that differ only in what they declare share a path (`read` and
 * `readPlain`). Throws if the table has no such operation.
 */
export function pathTo(resource: Resource, verb: Verb, namespace: string | undefined, name?: string): string {
  const same: Partial<Record<Verb, Verb>> = { read: 'readPlain', delete: 'deletePlain' };
  const other = same[verb];
  const template = resource.found
    ? foundTemplate(resource, verb)
    : (templates.get(keyOf(resource, verb)) ?? (other && templates.get(keyOf(resource, other))));
  if (template === undefined) throw new Error(`${resource.plural} has no ${verb}`);
  return fill(template, namespace, name);
}

/** Returns the part of a query that selects the objects of a name. */
export const selectingName = (name: string): string => `fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
