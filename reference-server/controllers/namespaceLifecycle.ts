// Namespaces that are being deleted: their contents go first, then the finalizer that stands for them.
import { type Resource, resources } from '../../matrix/api/index.js';
import { StatusError } from '../errors.js';
import type { Registry } from '../registry/registry.js';
import { contentsFinalizer } from '../registry/strategies/namespaces.js';
import { type KubeObject, part } from '../schema/object.js';
import type { Controller } from './controller.js';

/** What can be in a namespace. What another version shows is there once. */
const contents: readonly Resource[] = resources.filter(
  ({ namespaced, sharedWith, stated, unstated }) =>
    namespaced && sharedWith === undefined && [...stated, ...unstated].includes('replace'),
);

export const namespaceLifecycle: Controller = {
  feature: 'namespace-controller',
  resource: 'core/namespaces',
  async reconcile(namespace, registry) {
    const { deletionTimestamp, name = '' } = namespace.metadata;
    const { finalizers = [] } = part<{ finalizers?: readonly string[] }>(namespace, 'spec');
    if (deletionTimestamp === undefined || !finalizers.includes(contentsFinalizer)) return undefined;
    // Contents with finalizers of their own take their time.
    if ((await removeContents(registry, name)) > 0) return 'again';
    await registry.of('core/namespaces').amend({ namespace: undefined, name }, withoutContents).catch(unlessGone);
    return undefined;
  },
};

/** Deletes everything in a namespace and answers how much of it is still there. */
async function removeContents(registry: Registry, namespace: string): Promise<number> {
  let left = 0;
  for (const resource of contents) {
    const store = registry.of(resource);
    for (const { value } of (await store.list(namespace)).entries) {
      const { name = '' } = (value as KubeObject).metadata;
      // Nobody waits for the grace of a pod when its namespace goes.
      await store
        .delete({ namespace, name }, { dryRun: false, propagationPolicy: 'Background', gracePeriodSeconds: 0 })
        .catch(unlessGone);
    }
    left += (await store.list(namespace)).entries.length;
  }
  return left;
}

function withoutContents(namespace: KubeObject): KubeObject {
  const spec = part<{ finalizers?: readonly string[] }>(namespace, 'spec');
  return { ...namespace, spec: { ...spec, finalizers: spec.finalizers?.filter((name) => name !== contentsFinalizer) } };
}

function unlessGone(error: unknown): void {
  if (!(error instanceof StatusError && error.code === 404)) throw error;
}
