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
  name: 'namespace-controller',
  feature: 'namespace-controller',
  resource: 'core/namespaces',
  async reconcile({ metadata: { name = '', uid, deletionTimestamp } }, registry) {
    if (deletionTimestamp === undefined) return undefined;
    const namespaces = registry.of('core/namespaces');
    const place = { namespace: undefined, name };
    const current = (await namespaces.get(place).catch(unlessGone))?.value as KubeObject | undefined;
    // Another one of its name keeps what is in it.
    if (current === undefined || current.metadata.uid !== uid) return undefined;
    // Contents with finalizers of their own take their time, unless a client has said not to wait for the contents.
    if ((await removeContents(registry, name, !isHeld(current))) > 0) return 'again';
    await namespaces.amend(place, withoutContents, { emptied: true }).catch(unlessGone);
    return undefined;
  },
};

const finalizersOf = (namespace: KubeObject) =>
  part<{ finalizers?: readonly string[] }>(namespace, 'spec').finalizers ?? [];

const isHeld = (namespace: KubeObject): boolean => finalizersOf(namespace).includes(contentsFinalizer);

/** Deletes everything in a namespace, finalizers or not where it is forced, and answers how much is still there. */
async function removeContents(registry: Registry, namespace: string, forced: boolean): Promise<number> {
  let left = 0;
  for (const resource of contents) {
    const store = registry.of(resource);
    for (const { value } of (await store.list(namespace)).entries) {
      const { name = '' } = (value as KubeObject).metadata;
      const place = { namespace, name };
      // Nobody waits for the grace of a pod when its namespace goes.
      await store
        .delete(place, { dryRun: false, propagationPolicy: 'Background', gracePeriodSeconds: 0 })
        .catch(unlessGone);
      if (forced) await store.amend(place, withoutFinalizers).catch(unlessGone);
    }
    left += (await store.list(namespace)).entries.length;
  }
  return left;
}

function withoutContents(namespace: KubeObject): KubeObject {
  const finalizers = finalizersOf(namespace).filter((name) => name !== contentsFinalizer);
  return { ...namespace, spec: { ...part<object>(namespace, 'spec'), finalizers } };
}

function withoutFinalizers(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, finalizers: [] } };
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof StatusError && error.code === 404)) throw error;
}
