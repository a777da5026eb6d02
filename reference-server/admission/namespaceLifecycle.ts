// Nothing is created in a namespace that is absent or on its way out.
import { namespaceTerminating, notFound } from '../errors.js';
import { keyOf, resourceRow } from '../registry/addresses.js';
import type { KubeObject } from '../schema/object.js';
import type { Fence } from '../storage/storage.js';
import type { Creation, Plugin } from './plugin.js';

/** Refuses early, before other plugins make anything for the object; the fence decides. */
export const namespaceLifecycle: Plugin = {
  async fill(creation) {
    const fence = openNamespace(creation);
    fence?.check(await creation.registry.storage.get(fence.key));
  },
};

/** What a create needs of its namespace at the moment of its write: the namespace may be deleted until then. */
export function openNamespace({ resource, namespace, draft }: Creation): Fence | undefined {
  if (namespace === undefined || !resource.namespaced) return undefined;
  const row = resourceRow('core/namespaces');
  return {
    key: keyOf(row, undefined, namespace),
    check(entry) {
      if (entry === undefined) throw notFound(row, namespace);
      if ((entry.value as KubeObject).metadata.deletionTimestamp === undefined) return;
      throw namespaceTerminating(resource, draft.metadata.name ?? '', namespace);
    },
  };
}
