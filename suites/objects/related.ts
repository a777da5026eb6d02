// Resources that a check needs in addition to its own.
import { type Resource, resourceId, resources } from '../../matrix/api/index.js';

/** Returns the resource of an id, `group/plural`. */
export function byId(id: string): Resource {
  const found = resources.find((resource) => resourceId(resource) === id);
  if (found === undefined) throw new Error(`no resource ${id}`);
  return found;
}

export function scaled(resource: Resource): Resource {
  return resource.storageVersion === undefined ? resource : byId(resource.storageVersion);
}

/** Returns the apiVersion of the Scale of a resource: that of the interface, or the one that a target declares. */
export function scaleVersionOf({ found, bodyKinds }: Resource): string {
  return (found && bodyKinds.readScale?.apiVersion) ?? 'extensions/v1beta1';
}

export const pods = byId('core/pods');
export const namespaces = byId('core/namespaces');
export const configMaps = byId('core/configmaps');
export const replicaSets = byId('extensions/replicasets');
export const events = byId('core/events');
export const nodes = byId('core/nodes');
