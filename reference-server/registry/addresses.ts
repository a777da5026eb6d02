// Where objects live: keys in the storage, paths in the interface.
import { pathOf, type Resource, resourceId, resources, verbs } from '../../matrix/api/index.js';

const rows = new Map(resources.map((resource) => [resourceId(resource), resource]));

/** The row of a resource by its `group/plural`. */
export function resourceRow(id: string): Resource {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`no resource ${id}`);
  return row;
}

/** The resource whose objects are stored; another version shows the same ones. */
export function storedResource(resource: Resource): Resource {
  return resource.sharedWith === undefined ? resource : resourceRow(resource.sharedWith);
}

/** The prefix of all objects of a stored resource, or of those in a namespace. */
export function prefixOf(stored: Resource, namespace?: string): string {
  return namespace === undefined ? `${resourceId(stored)}/` : `${resourceId(stored)}/${namespace}/`;
}

/** The key of an object of a stored resource. */
export function keyOf(stored: Resource, namespace: string | undefined, name: string): string {
  return prefixOf(stored, stored.namespaced ? namespace : undefined) + name;
}

const objectPaths = new WeakMap<Resource, string>();

/** The path of an object: its selfLink. */
export function selfLinkOf(resource: Resource, namespace: string | undefined, name: string): string {
  let template = objectPaths.get(resource);
  if (template === undefined) {
    template = pathOf(resource, verbs.read);
    objectPaths.set(resource, template);
  }
  return template.replace('{namespace}', namespace ?? '').replace('{name}', name);
}

/** The path of a collection, in a namespace or across all: the selfLink of a list. */
export function collectionLinkOf(resource: Resource, namespace?: string): string {
  const form = namespace === undefined ? verbs.listAll : verbs.list;
  return pathOf(resource, form).replace('{namespace}', namespace ?? '');
}
