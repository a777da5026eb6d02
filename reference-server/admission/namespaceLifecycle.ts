// Nothing is created in a namespace that is absent or on its way out.
import { namespaceTerminating } from '../errors.js';
import type { KubeObject } from '../schema/object.js';
import type { Plugin } from './plugin.js';

export const namespaceLifecycle: Plugin = {
  async fill({ registry, resource, namespace, draft }) {
    if (namespace === undefined || !resource.namespaced) return;
    const entry = await registry.of('core/namespaces').get({ namespace: undefined, name: namespace });
    if ((entry.value as KubeObject).metadata.deletionTimestamp === undefined) return;
    throw namespaceTerminating(resource, draft.metadata.name ?? '', namespace);
  },
};
