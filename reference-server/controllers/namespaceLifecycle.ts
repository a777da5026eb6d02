// Namespaces that are being deleted: removes their contents, then the contents finalizer.
import type { Resource } from '../../matrix/api/index.js';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { Store } from '../registry/store.js';
import { contentsFinalizer } from '../registry/strategies/namespaces.js';
import { type KubeObject, part } from '../schema/object.js';
import { unlessGone } from '../statusError.js';
import { storageResource } from '../versions/addresses.js';
import type { ServedResources } from '../versions/servedResources.js';
import type { Controller } from './controller.js';
import { type Remains, withRemains } from './namespaceConditions.js';

type StoreOf = (resource: Resource | string) => Pick<Store, 'find' | 'list' | 'delete' | 'updateInternally'>;

interface Parts {
  readonly storeOf: StoreOf;
  readonly served: Pick<ServedResources, 'all' | 'stored'>;
  readonly now: () => Date;
  /** The minor version of Kubernetes that the server reports. */
  readonly minor: number;
}

/** Since this version, a namespace says what still keeps it. */
const sinceConditions = 16;
/** Since this version, all else in a namespace stays until its pods are gone, which may need it. */
const sincePodsFirst = 33;

export const namespaceLifecycle = ({ storeOf, served, now, minor }: Parts): Controller => ({
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
    const remains = await removeContents(storeOf, served, name, minor >= sincePodsFirst, !isHeld(current));
    if (minor >= sinceConditions) {
      const noted = (latest: KubeObject) =>
        latest.metadata.uid === uid ? withRemains(latest, remains, now()) : latest;
      await namespaces.updateInternally(key, noted, { part: 'status' }).catch(unlessGone);
    }
    const [failure] = remains.failures;
    if (failure !== undefined) throw failure;
    // Wait for contents with finalizers, unless a client has removed the contents finalizer.
    if (remains.resources.size > 0) return 'again';
    await namespaces.updateInternally(key, withoutContents, { emptied: true, part: 'finalize' }).catch(unlessGone);
    return undefined;
  },
});

const finalizersOf = (namespace: KubeObject) => part<ObjectOf<'NamespaceSpec'>>(namespace, 'spec').finalizers ?? [];

const isHeld = (namespace: KubeObject): boolean => finalizersOf(namespace).includes(contentsFinalizer);

/**
 * Deletes everything in a namespace; with `podsFirst`, only its pods while there are any. `forced` also removes
 * finalizers. Returns what remains of what it deleted.
 */
async function removeContents(
  storeOf: StoreOf,
  { all, stored }: Parts['served'],
  namespace: string,
  podsFirst: boolean,
  forced: boolean,
): Promise<Remains> {
  const resources = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const failures: unknown[] = [];
  const namespaced = stored.filter((resource) => resource.namespaced);
  const pods = namespaced.filter(({ plural, groupVersion }) => plural === 'pods' && groupVersion.group === '');
  const order = podsFirst ? new Set([...pods, ...namespaced]) : namespaced;
  for (const resource of order) {
    const store = storeOf(resource);
    const left = () => store.list(namespace).then(({ entries }) => entries.map(({ value }) => value));
    try {
      for (const { metadata } of await left()) {
        const key = { namespace, name: metadata.name ?? '' };
        // Pods get no grace period in a terminating namespace.
        await store
          .delete(key, { dryRun: false, propagationPolicy: 'Background', gracePeriodSeconds: 0 })
          .catch(unlessGone);
        if (forced) await store.updateInternally(key, withoutFinalizers).catch(unlessGone);
      }
    } catch (error) {
      failures.push(error);
    }
    const remaining = await left();
    if (remaining.length === 0) continue;
    for (const name of namesOf(resource, all)) resources.set(name, remaining.length);
    for (const { metadata } of remaining) {
      for (const finalizer of metadata.finalizers ?? []) {
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
      }
    }
    if (podsFirst && pods.includes(resource)) break;
  }
  return { resources, finalizers, failures };
}

/** The names of a stored resource: one for each group that serves it. */
function namesOf(stored: Resource, served: readonly Resource[]): ReadonlySet<string> {
  const rows = served.filter((resource) => storageResource(resource) === stored);
  return new Set(rows.map(({ plural, groupVersion: { group } }) => `${plural}.${group}`));
}

function withoutContents(namespace: KubeObject): KubeObject {
  const finalizers = finalizersOf(namespace).filter((name) => name !== contentsFinalizer);
  return { ...namespace, spec: { ...part<object>(namespace, 'spec'), finalizers } };
}

function withoutFinalizers(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, finalizers: [] } };
}
