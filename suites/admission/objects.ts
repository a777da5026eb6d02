// The creates of the admission checks, in namespaces with limits, and their outcomes.
import type { Resource } from '../../matrix/api/index.js';
import { fail, Prerequisite, status, statusObject, Unchecked } from '../client/expect.js';
import { type JsonObject, merge, namesIn } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { mustKeepPods } from '../objects/changedPods.js';
import { whenControlledBy } from '../objects/controllers.js';
import { eventually } from '../objects/eventually.js';
import { byId } from '../objects/related.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { objectsNamed } from '../objects/validCalls.js';

export const pods = byId('core/pods');
export const claims = byId('core/persistentvolumeclaims');
export const limitRanges = byId('core/limitranges');
export const quotas = byId('core/resourcequotas');
export const services = byId('core/services');

const json = { 'content-type': 'application/json' };

/** A create that may be refused. */
export interface Attempt extends Pick<CreatedObject, 'resource' | 'name'> {
  readonly namespace: string;
  readonly reply: Reply;
}

/** Sends a create of the resource's sample merged with these fields. */
export async function attempt(
  sandbox: Sandbox,
  resource: Resource,
  namespace: string,
  fields: JsonObject = {},
): Promise<Attempt> {
  const name = sandbox.name(resource);
  const sample = sandbox.body(resource, name, namespace);
  // A quota limits only the resources of the check, not those of the sample.
  const body = JSON.stringify(resource === quotas ? { ...sample, ...fields } : merge(sample, fields));
  const path = pathTo(resource, 'create', namespace);
  const reply = await sandbox.client.send({ method: 'POST', path, headers: json, body });
  return { resource, name, namespace, reply };
}

/**
 * Does the same for an object that a check needs. Retries, because servers may learn of a limit late. Throws
 * Prerequisite if the create does not succeed.
 */
export async function need(
  sandbox: Sandbox,
  resource: Resource,
  namespace: string,
  fields: JsonObject = {},
): Promise<Attempt> {
  const made = await settled(sandbox, resource, namespace, fields);
  if (!isSuccess(made.reply)) {
    throw new Prerequisite(`create ${resource.plural}: ${made.reply.status} ${made.reply.excerpt()}`);
  }
  return made;
}

/**
 * Retries a create until it succeeds, because the server may not know all prerequisites yet: a pod waits for the account
 * of its namespace as long as a controller may take, other objects for a second.
 */
export async function settled(
  sandbox: Sandbox,
  resource: Resource,
  namespace: string,
  fields: JsonObject = {},
): Promise<Attempt> {
  const create = () => attempt(sandbox, resource, namespace, fields);
  const isMade = ({ reply }: Attempt) => isSuccess(reply);
  const made = await eventually(create, isMade, 1_000);
  if (isMade(made) || resource !== pods) return made;
  await mustKeepResources(sandbox, namespace);
  return whenControlledBy(sandbox, 'service-account-controller', create, isMade);
}

/** Throws Unchecked if the target changes each pod, or if others limit the pods of each new namespace, at once or later. */
export async function mustKeepResources(sandbox: Sandbox, namespace: string): Promise<void> {
  await mustKeepPods(sandbox, 'containers', 'resources');
  const others = (await listedNames(sandbox, limitRanges, namespace))
    .map(String)
    .filter((name) => !sandbox.isOwnName(name));
  if (others.length > 0)
    throw new Unchecked('skipped', `the target puts a LimitRange into every namespace: ${others.join(', ')}`);
}

export function podOf(...resources: readonly JsonObject[]): JsonObject {
  const containers = resources.map((each, index) => ({
    name: `c${index}`,
    image: 'registry.example/conformance:1',
    resources: each,
  }));
  return { spec: { containers } };
}

export const claimOf = (storage: string): JsonObject => ({ spec: { resources: { requests: { storage } } } });

/** Waits for this number of milliseconds. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status <= 299;

/** Returns the number of objects with that name: 0 or 1. */
export async function countOf(sandbox: Sandbox, { resource, namespace, name }: Attempt): Promise<number> {
  return objectsNamed(await sandbox.list(resource, namespace), name).length;
}

export async function listedNames(sandbox: Sandbox, resource: Resource, namespace: string): Promise<string[]> {
  return namesIn(await sandbox.list(resource, namespace));
}

export async function total(sandbox: Sandbox, resource: Resource, namespace: string): Promise<number> {
  return (await listedNames(sandbox, resource, namespace)).length;
}

/** Throws Failure unless admission refused the write and no object was created. */
export function refusedByAdmission(reply: Reply, count: number): void {
  status(reply, 403);
  statusObject(reply, 'Forbidden');
  if (count !== 0) fail(`${reply.request}: refused, and yet the object is there`);
}
