// Owners and dependents: how a check makes them, and waits until the garbage collector has settled their fate.
import { randomUUID } from 'node:crypto';
import { apiVersionOf, type Resource } from '../../matrix/api/index.js';
import { inTime } from '../support/eventually.js';
import { fail } from '../support/expect.js';
import { at, type JsonObject } from '../support/json.js';
import { configMaps } from '../support/related.js';
import { type Made, pathTo, type Scope } from '../support/scope.js';
import type { Context } from '../support/worker.js';
import { endOf, optionsOf, sendDelete, setFinalizers } from './calls.js';

/** A reference to an owner. */
export function refTo({ resource, name, object }: Made, blocks?: true): JsonObject {
  return {
    apiVersion: apiVersionOf(resource.groupVersion),
    kind: resource.kind,
    name,
    uid: at(object, 'metadata', 'uid'),
    ...(blocks && { blockOwnerDeletion: true }),
  };
}

/** A config map, or another object, with these owners, in the namespace of the first. */
export async function makeDependent(
  scope: Scope,
  ownerReferences: readonly JsonObject[],
  more: { readonly namespace?: string | undefined; readonly resource?: Resource; readonly finalizers?: string[] } = {},
): Promise<Made> {
  const { resource = configMaps, namespace, finalizers = [] } = more;
  return scope.make(resource, {
    ...(namespace === undefined ? {} : { namespace }),
    change: { metadata: { ownerReferences, ...(finalizers.length > 0 && { finalizers }) } },
  });
}

/** Whether an object still names that owner. */
export function owns(owner: Made, dependent: JsonObject | undefined): boolean {
  const references = at(dependent, 'metadata', 'ownerReferences');
  const uid = at(owner.object, 'metadata', 'uid');
  return Array.isArray(references) && references.some((reference) => at(reference, 'uid') === uid);
}

/** An owner and its dependent as they are in the end. */
export interface Settled {
  readonly owner: JsonObject | undefined;
  readonly dependent: JsonObject | undefined;
}

/** Waits until the owner is gone, and the dependent is gone too or without it; the last state where that fails. */
export async function settled(context: Context, owner: Made, dependent: Made): Promise<Settled> {
  let last: Settled = { owner: owner.object, dependent: dependent.object };
  await inTime(context, async () => {
    last = { owner: await context.scope.current(owner), dependent: await context.scope.current(dependent) };
    return last.owner === undefined && !owns(owner, last.dependent) ? true : undefined;
  });
  return last;
}

/** Whether the object is gone before the patience is over. */
export async function isGone(context: Context, made: Made): Promise<boolean> {
  const gone = await inTime(context, async () =>
    (await context.scope.current(made)) === undefined ? true : undefined,
  );
  return gone === true;
}

/**
 * Waits until the collector has noticed the config maps that were made until now. It may learn of a delete before it
 * learns of the dependents: then it finds nothing to orphan or to wait for, and collects them later. That it has come
 * to them is seen by the end of a later one that no owner has.
 */
export async function noticed(context: Context, namespace: string | undefined): Promise<void> {
  const nobody = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never-been-there', uid: randomUUID() };
  await isGone(context, await makeDependent(context.scope, [nobody], { namespace }));
}

/** Waits until the object is gone or being deleted; its last state. */
export async function marked(context: Context, made: Made): Promise<JsonObject | undefined> {
  let last: JsonObject | undefined;
  await inTime(context, async () => {
    last = await context.scope.current(made);
    return last === undefined || endOf(last) !== undefined ? true : undefined;
  });
  return last;
}

/** Lets an object go that a finalizer of the suite holds. */
export async function release({ scope }: Context, made: Made): Promise<void> {
  if ((await scope.current(made)) !== undefined) await setFinalizers(scope, made, []);
}

const collecting = new WeakMap<Scope, Promise<boolean>>();

/**
 * Throws a Failure where the target collects nothing at all, found out once: no check waits for what never comes,
 * and none passes because nothing happens.
 */
export async function needsCollector(context: Context): Promise<void> {
  const { scope } = context;
  let known = collecting.get(scope);
  if (known === undefined) {
    known = tryCollector(context);
    collecting.set(scope, known);
  }
  if (!(await known)) fail('no garbage collector: a dependent stays after its owner is gone');
}

async function tryCollector(context: Context): Promise<boolean> {
  const { scope, client } = context;
  const owner = await scope.make(configMaps);
  const dependent = await makeDependent(scope, [refTo(owner)]);
  const options = optionsOf();
  await sendDelete(client, pathTo(configMaps, 'delete', owner.namespace, owner.name), { options });
  return (await settled(context, owner, dependent)).dependent === undefined;
}
