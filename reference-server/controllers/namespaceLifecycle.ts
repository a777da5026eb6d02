// Namespaces that are being deleted: removes their contents, then the contents finalizer.
import type { Resource } from '../../matrix/api/index.js';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { Store } from '../registry/store.js';
import { contentsFinalizer } from '../registry/strategies/namespaces.js';
import { type KubeObject, part } from '../schema/object.js';
import { unlessGone } from '../statusError.js';
import type { Controller } from './controller.js';

type StoreOf = (resource: Resource | string) => Pick<Store, 'find' | 'list' | 'delete' | 'updateInternally'>;

/** Returns the resources that the server stores now. */
type Stored = () => readonly Resource[];

export const namespaceLifecycle = (storeOf: StoreOf, stored: Stored): Controller => ({
  name: 'namespace-controller',
  feature: 'namespace-controller',
  resource: 'core/namespaces',
  async reconcile({ metadata: { name = '', uid, deletionTimestamp } }) {
    if (deletionTimestamp === undefined) return undefined;
    const namespaces = storeOf('core/namespaces');
    const key = { namespace: undefined, name };
    const current = (await namespaces.find(key))?.value;
    // The namespace is gone, or another one has the same name; it keeps its contents.
    if (current === undefined || current.metadata.uid !== uid) return undefined;
    // Wait for contents with finalizers, unless a client has removed the contents finalizer.
    if ((await removeContents(storeOf, stored(), name, !isHeld(current))) > 0) return 'again';
    await namespaces.updateInternally(key, withoutContents, { emptied: true, part: 'finalize' }).catch(unlessGone);
    return undefined;
  },
});

const finalizersOf = (namespace: KubeObject) => part<ObjectOf<'NamespaceSpec'>>(namespace, 'spec').finalizers ?? [];

const isHeld = (namespace: KubeObject): boolean => finalizersOf(namespace).includes(contentsFinalizer);

/** Deletes everything in a namespace; `forced` also removes finalizers. Returns the number of remaining objects. */
async function removeContents(
  storeOf: StoreOf,
  stored: readonly Resource[],
  namespace: string,
  forced: boolean,
): Promise<number> {
  let left = 0;
  for (const resource of stored.filter(({ namespaced }) => namespaced)) {
    const store = storeOf(resource);
    for (const { value } of (await store.list(namespace)).entries) {
      const { name = '' } = value.metadata;
      const key = { namespace, name };
      // Pods get no grace period in a terminating namespace.
      await store
        .delete(key, { dryRun: false, propagationPolicy: 'Background', gracePeriodSeconds: 0 })
        .catch(unlessGone);
      if (forced) await store.updateInternally(key, withoutFinalizers).catch(unlessGone);
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
