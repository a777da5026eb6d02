// Refuses creates in a namespace that is absent or terminating.
import { namespaceFence } from '../registry/namespaceFence.js';
import type { Storage } from '../storage/storage.js';
import type { Plugin } from './plugin.js';

/** Checks early, before other plug-ins do work for the object. The fence of the write is decisive. */
export const namespaceLifecycle = (storage: Pick<Storage, 'get'>): Plugin => ({
  async mutate({ resource, namespace, object }) {
    const fence = namespaceFence(resource, namespace, object.metadata.name ?? '');
    fence?.check(await storage.get(fence.key));
  },
});
