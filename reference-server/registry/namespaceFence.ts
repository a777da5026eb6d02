// The fence of a create: the namespace must exist and not be terminating.
import type { Resource } from '../../matrix/api/index.js';
import { namespaceTerminating, notFound } from '../errors.js';
import type { Fence } from '../storage/storage.js';
import { keyOf, resourceRow } from '../versions/addresses.js';

const namespaces = resourceRow('core/namespaces');

/**
 * Returns the condition on the namespace at the moment of a create. Its check throws 404 if the namespace is absent,
 * and 403 if the namespace is terminating.
 */
export function namespaceFence(resource: Resource, namespace: string | undefined, name: string): Fence | undefined {
  if (namespace === undefined || !resource.namespaced) return undefined;
  return {
    key: keyOf(namespaces, undefined, namespace),
    check(entry) {
      if (entry === undefined) throw notFound(namespaces, namespace);
      if (entry.value.metadata.deletionTimestamp === undefined) return;
      throw namespaceTerminating(resource, name, namespace);
    },
  };
}
