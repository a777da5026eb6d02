// The objects that an owner controls: those that it selects, and no others.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { Store } from '../registry/store.js';
import { controllerOf, controls, type KubeObject, objectKeyIn, withOwners } from '../schema/object.js';
import { matcherOf } from '../selectors/labels.js';
import { unlessGone } from '../statusError.js';
import type { Source } from './controller.js';

interface Claim {
  readonly owner: KubeObject;
  readonly reference: ObjectOf<'OwnerReference'>;
  /** Without requirements, the owner keeps what it controls, and takes nothing. */
  readonly selector: ObjectOf<'LabelSelector'> | undefined;
  /** Reports whether the owner may take an object that it selects; absent if it may take each. */
  mayAdopt?(object: KubeObject): boolean;
  /** The store of what the owner controls. */
  readonly store: Pick<Store, 'list' | 'updateInternally'>;
  /** The store of the owner, which may be gone or on its way out since it was read. */
  readonly owners: Pick<Store, 'find'>;
}

/** Returns the reference of an object that controls others. */
export function referenceTo(owner: KubeObject, apiVersion: string, kind: string): ObjectOf<'OwnerReference'> {
  const { name = '', uid = '' } = owner.metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/**
 * Returns the objects in the namespace of the owner that it controls. An object that it selects and that has no
 * controller becomes its own, and one that it no longer selects is released.
 */
export async function claimed(claim: Claim): Promise<KubeObject[]> {
  const { selector = {}, owner, store } = claim;
  const objects = (await store.list(owner.metadata.namespace)).entries.map(({ value }) => value);
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (Object.keys(matchLabels).length + matchExpressions.length === 0)
    return objects.filter((object) => controls(owner, object));
  const selects = matcherOf(selector);
  const own: KubeObject[] = [];
  for (const object of objects) {
    const isSelected = selects(object.metadata.labels);
    const isOwn = controls(owner, object);
    // Most objects stay what they are, so nobody waits for them.
    const now = isOwn === isSelected ? isOwn && object : await settled(object, isSelected, claim);
    if (now) own.push(now);
  }
  return own;
}

/** Releases an object that the owner controls and no longer selects, or takes one that it selects, if it may. */
async function settled(object: KubeObject, isSelected: boolean, claim: Claim): Promise<KubeObject | undefined> {
  const { owner, reference, mayAdopt, store } = claim;
  const change = async (to: (current: KubeObject) => KubeObject) =>
    (await store.updateInternally(objectKeyIn(object), to).catch(unlessGone))?.value;
  if (!isSelected) {
    await change((current) => withOwners(current, (owners) => owners.filter(({ uid }) => uid !== reference.uid)));
    return undefined;
  }
  const isFree = controllerOf(object) === undefined && object.metadata.deletionTimestamp === undefined;
  if (!isFree || mayAdopt?.(object) === false || !(await isAlive(claim))) return undefined;
  const adopted = await change((current) =>
    controllerOf(current) === undefined ? withOwners(current, (owners) => [...owners, reference]) : current,
  );
  return adopted && controls(owner, adopted) ? adopted : undefined;
}

/** Reports whether the owner is still there: what an owner orphans must not come back to it. */
export async function isAlive({ owner, owners }: Pick<Claim, 'owner' | 'owners'>): Promise<boolean> {
  const { uid, deletionTimestamp } = (await owners.find(objectKeyIn(owner)))?.value.metadata ?? {};
  return uid === owner.metadata.uid && deletionTimestamp === undefined;
}

/** A source whose objects concern the owners of a kind that control them. */
export function controlledBy(kind: string, resource: string): Source {
  return {
    resource,
    concerned(object) {
      const owner = controllerOf(object);
      return owner?.kind === kind ? [{ namespace: object.metadata.namespace, name: owner.name }] : [];
    },
  };
}

/**
 * A source whose objects concern the owner of a kind that controls them; an object without a controller concerns all
 * owners in its namespace that select it.
 */
export function claimedBy(
  kind: string,
  resource: string,
  owners: Pick<Store, 'list'>,
  selectorOf: (owner: KubeObject) => ObjectOf<'LabelSelector'> | undefined,
): Source {
  const controlled = controlledBy(kind, resource);
  return {
    resource,
    async concerned(object) {
      const { namespace, labels, deletionTimestamp } = object.metadata;
      if (controllerOf(object) !== undefined) return controlled.concerned(object);
      if (labels === undefined || deletionTimestamp !== undefined) return [];
      const { entries } = await owners.list(namespace);
      const selecting = entries.filter(({ value }) => {
        const selector = selectorOf(value);
        return selector !== undefined && matcherOf(selector)(labels);
      });
      return selecting.map(({ value }) => objectKeyIn(value));
    },
  };
}
