// Counts what quotas limit anew after every change of it: what was deleted or has ended is free again.
import { evaluators } from '../quota/evaluators.js';
import type { Registry } from '../registry/registry.js';
import type { KubeObject } from '../schema/object.js';
import type { Controller } from './controller.js';

async function recount({ metadata: { namespace = '' } }: KubeObject, registry: Registry): Promise<undefined> {
  registry.quotas.refresh(namespace);
}

/** One for each resource that quotas count. */
export const resourceQuotas: readonly Controller[] = evaluators.map(({ resource }) => ({
  name: `quota-controller of ${resource}`,
  feature: 'quota-controller',
  resource,
  reconcile: recount,
  forget: recount,
}));
