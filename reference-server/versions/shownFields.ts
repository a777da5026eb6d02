// Kinds of which servers show a field though it is absent: what has no value is null in JSON.
import type { Resource } from '../../matrix/api/index.js';
import { type KubeObject, part } from '../schema/object.js';

/** Where a list is: in a field, or in a field of it. */
export type ListPath = readonly [field: string, nested?: string];

const paths = new WeakMap<Resource, readonly ListPath[]>();

/** Shows lists of the objects of a resource as null where they are absent or empty. */
export function showAsNull(resource: Resource, lists: readonly ListPath[]): void {
  paths.set(resource, lists);
}

/** Returns an object with its absent lists as null, if the resource shows them so. */
export function withNull(resource: Resource, object: KubeObject): KubeObject {
  let shown = object;
  for (const [field, nested] of paths.get(resource) ?? []) {
    const outer = nested === undefined ? shown : part<Record<string, unknown>>(shown, field);
    const name = nested ?? field;
    const value: unknown = outer[name];
    if (Array.isArray(value) && value.length > 0) continue;
    shown = { ...shown, ...(nested === undefined ? { [name]: null } : { [field]: { ...outer, [name]: null } }) };
  }
  return shown;
}
