// Owners and dependents: creates them, and waits until the garbage collector is done with them.
import { randomUUID } from 'node:crypto';
import { apiVersionOf, defined, type Resource } from '../../matrix/api/index.js';
import { servedVersion } from '../client/aliases.js';
import { fail } from '../client/expect.js';
import { at, endOf, type JsonObject } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { whenControlled } from '../objects/controllers.js';
import { configMaps } from '../objects/related.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import type { Context } from '../run/context.js';
import { optionsOf, sendDelete, setFinalizers } from './calls.js';

/** Returns a reference to an owner. */
export function refTo({ resource, name, object }: CreatedObject, blocks?: true): JsonObject {
  return {
    apiVersion: apiVersionOf(resource.groupVersion),
    kind: resource.kind,
    name,
    uid: at(object, 'metadata', 'uid'),
    ...(blocks && { blockOwnerDeletion: true }),
  };
}

/** Creates a config map, or another object, with these owners in the namespace of the first owner. */
export async function makeDependent(
  sandbox: Sandbox,
  ownerReferences: readonly JsonObject[],
  more: { readonly namespace?: string | undefined; readonly resource?: Resource; readonly finalizers?: string[] } = {},
): Promise<CreatedObject> {
  const { resource = configMaps, namespace, finalizers = [] } = more;
  const { aliases } = sandbox.client.target;
  // The garbage collector looks for an owner where the target serves it.
  const owners = ownerReferences.map((reference) => {
    const { apiVersion, kind } = reference;
    return { ...reference, apiVersion: servedVersion(aliases, String(apiVersion), String(kind)) };
  });
  return sandbox.make(resource, {
    ...defined({ namespace }),
    change: { metadata: { ownerReferences: owners, ...(finalizers.length > 0 && { finalizers }) } },
  });
}

/** Reports whether an object still refers to that owner. */
export function owns(owner: CreatedObject, dependent: JsonObject | undefined): boolean {
  const references = at(dependent, 'metadata', 'ownerReferences');
  const uid = at(owner.object, 'metadata', 'uid');
  return Array.isArray(references) && references.some((reference) => at(reference, 'uid') === uid);
}

/** The last state of an owner and its dependent. */
export interface OwnerAndDependent {
  readonly owner: JsonObject | undefined;
  readonly dependent: JsonObject | undefined;
}

/** Waits until the owner is gone, and the dependent is gone or without its reference. Returns the last state. */
export async function settled(
  context: Context,
  owner: CreatedObject,
  dependent: CreatedObject,
): Promise<OwnerAndDependent> {
  const { sandbox } = context;
  const look = async (): Promise<OwnerAndDependent> => ({
    owner: await sandbox.current(owner),
    dependent: await sandbox.current(dependent),
  });
  return whenControlled(sandbox, look, (now) => now.owner === undefined && !owns(owner, now.dependent));
}

/** Waits for the end of an object. Reports whether it is gone in the time that the controllers get. */
export async function isGone(context: Context, made: CreatedObject): Promise<boolean> {
  const look = () => context.sandbox.current(made);
  return (await whenControlled(context.sandbox, look, (object) => object === undefined)) === undefined;
}

/**
 * Waits until the collector knows the config maps that were created so far. If the collector learns of a delete before
 * it learns of the dependents, it finds none to orphan or to wait for, and collects them later. The end of a later
 * config map whose owner does not exist shows that the collector has seen the earlier ones.
 */
export async function noticed(context: Context, namespace: string | undefined): Promise<void> {
  const missingOwner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never-been-there', uid: randomUUID() };
  await isGone(context, await makeDependent(context.sandbox, [missingOwner], { namespace }));
}

/** Waits until the object is gone or being deleted. Returns its last state. */
export function marked({ sandbox }: Context, made: CreatedObject): Promise<JsonObject | undefined> {
  const look = () => sandbox.current(made);
  return whenControlled(sandbox, look, (last) => last === undefined || endOf(last) !== undefined);
}

/** Removes the finalizers of an object. */
export async function releaseFinalizers({ sandbox }: Context, made: CreatedObject): Promise<void> {
  if ((await sandbox.current(made)) !== undefined) await setFinalizers(sandbox, made, []);
}

const collecting = new WeakMap<Sandbox, Promise<boolean>>();

/**
 * Throws a Failure if the target has no garbage collector, which is tried once: then no check waits in vain, and none
 * passes because nothing happens.
 */
export async function needsCollector(context: Context): Promise<void> {
  const { sandbox } = context;
  let known = collecting.get(sandbox);
  if (known === undefined) {
    known = tryCollector(context);
    collecting.set(sandbox, known);
  }
  if (!(await known)) fail('no garbage collector: a dependent stays after its owner is gone');
}

async function tryCollector(context: Context): Promise<boolean> {
  const { sandbox, client } = context;
  const owner = await sandbox.make(configMaps);
  const dependent = await makeDependent(sandbox, [refTo(owner)]);
  const options = optionsOf();
  await sendDelete(client, pathTo(configMaps, 'delete', owner.namespace, owner.name), { options });
  return (await settled(context, owner, dependent)).dependent === undefined;
}
