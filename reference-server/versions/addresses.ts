// The addresses of objects: keys in the storage, and paths in the API.
import { pathOf, type Resource, resourceId, resources, verbs } from '../../matrix/api/index.js';

const rows = new Map(resources.map((resource) => [resourceId(resource), resource]));

/** Returns the row of a resource of the interface, given `group/plural`. Throws if there is none. */
export function resourceRow(id: string): Resource {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`no resource ${id}`);
  return row;
}

/** Returns the resource that stores the objects; other versions of the resource share them. */
export function storageResource(resource: Resource): Resource {
  if (resource.storedAs !== undefined) return resource.storedAs;
  return resource.storageVersion === undefined ? resource : resourceRow(resource.storageVersion);
}

/** The key prefix of all objects of a stored resource, or of the objects in a namespace. */
export function prefixOf(stored: Resource, namespace?: string): string {
  return namespace === undefined ? `${resourceId(stored)}/` : `${resourceId(stored)}/${namespace}/`;
}

export function keyOf(stored: Resource, namespace: string | undefined, name: string): string {
  return prefixOf(stored, stored.namespaced ? namespace : undefined) + name;
}

const objectPaths = new WeakMap<Resource, string>();

export function selfLinkOf(resource: Resource, namespace: string | undefined, name: string): string {
  let template = objectPaths.get(resource);
  if (template === undefined) {
    template = pathOf(resource, verbs.read);
    objectPaths.set(resource, template);
  }
  return template.replace('{namespace}', namespace ?? '').replace('{name}', name);
}

/** The path of a collection in a namespace or across all, which is the selfLink of a list. */
export function collectionLinkOf(resource: Resource, namespace?: string): string {
  const form = namespace === undefined ? verbs.listAll : verbs.list;
  return pathOf(resource, form).replace('{namespace}', namespace ?? '');
}
