// Kinds of which servers show a field though it is absent: what has no value is null in JSON.
import type { Resource } from '../../matrix/api/index.js';
import type { KubeObject } from '../schema/object.js';

const fields = new WeakMap<Resource, string>();

/** Shows a list of the objects of a resource as null where it is absent or empty. */
export function showAsNull(resource: Resource, field: string): void {
  fields.set(resource, field);
}

/** Returns an object with its absent list as null, if the resource shows it so. */
export function withNull(resource: Resource, object: KubeObject): KubeObject {
  const field = fields.get(resource);
  if (field === undefined) return object;
  const value: unknown = object[field];
  return Array.isArray(value) && value.length > 0 ? object : { ...object, [field]: null };
}
