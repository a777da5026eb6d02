// What the checks of admission send: objects in a namespace that limits them, and what became of them.
import type { Resource } from '../../matrix/api/index.js';
import { fail, Prerequisite, status, statusObject } from '../support/expect.js';
import { at, itemsOf, type JsonObject, merge } from '../support/json.js';
import { byId } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { type Made, pathTo, type Scope } from '../support/scope.js';
import { named } from '../support/validCalls.js';

export const pods = byId('core/pods');
export const claims = byId('core/persistentvolumeclaims');
export const limitRanges = byId('core/limitranges');
export const quotas = byId('core/resourcequotas');
export const services = byId('core/services');

const json = { 'content-type': 'application/json' };

/** A create that may be refused. */
export interface Attempt extends Pick<Made, 'resource' | 'name'> {
  readonly namespace: string;
  readonly reply: Reply;
}

/**
 * Sends a create of the resource's sample with these fields over it. A server that asks to come again later (it has
 * something to make first, such as the token of a service account) is asked again.
 */
export async function attempt(
  scope: Scope,
  resource: Resource,
  namespace: string,
  fields: JsonObject = {},
): Promise<Attempt> {
  const name = scope.name(resource);
  const sample = scope.body(resource, name, namespace);
  // A quota limits what the check says, and not what the sample limits beside it.
  const body = JSON.stringify(resource === quotas ? { ...sample, ...fields } : merge(sample, fields));
  const path = pathTo(resource, 'create', namespace);
  const reply = await until(
    () => scope.client.send({ method: 'POST', path, headers: json, body }),
    (answer) => answer.status < 500 || at(answer.tryValue(), 'details', 'retryAfterSeconds') === undefined,
    5_000,
  );
  return { resource, name, namespace, reply };
}

/** Same, for an object that a check needs: servers that learn of a limit a little later are asked again. */
export async function need(
  scope: Scope,
  resource: Resource,
  namespace: string,
  fields: JsonObject = {},
): Promise<Attempt> {
  const made = await settled(scope, resource, namespace, fields);
  if (!isSuccess(made.reply)) {
    throw new Prerequisite(`create ${resource.plural}: ${made.reply.status} ${made.reply.excerpt()}`);
  }
  return made;
}

/** A create that should succeed as soon as the server knows all it has to know. */
export function settled(
  scope: Scope,
  resource: Resource,
  namespace: string,
  fields: JsonObject = {},
): Promise<Attempt> {
  return until(
    () => attempt(scope, resource, namespace, fields),
    ({ reply }) => isSuccess(reply),
    1_000,
  );
}

/** A pod with a container for each of the resources given. */
export function podOf(...resources: readonly JsonObject[]): JsonObject {
  const containers = resources.map((each, index) => ({
    name: `c${index}`,
    image: 'registry.example/conformance:1',
    resources: each,
  }));
  return { spec: { containers } };
}

/** A claim for so much storage. */
export const claimOf = (storage: string): JsonObject => ({ spec: { resources: { requests: { storage } } } });

/** Asks again until the answer will do or the time is over; the last answer. */
export async function until<T>(ask: () => Promise<T>, will: (answer: T) => boolean, milliseconds: number): Promise<T> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const answer = await ask();
    if (will(answer) || Date.now() > end) return answer;
    await pause(50);
  }
}

/** Lets so much time pass. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status <= 299;

/** How many objects of that name there are: 0 or 1. */
export async function countOf(scope: Scope, { resource, namespace, name }: Attempt): Promise<number> {
  return named(await scope.list(resource, namespace), name).length;
}

/** How many objects of a resource there are in a namespace. */
export async function total(scope: Scope, resource: Resource, namespace: string): Promise<number> {
  return itemsOf(await scope.list(resource, namespace)).length;
}

/** Admission refused the write, and nothing came of it. */
export function refused(reply: Reply, count: number): void {
  status(reply, 403);
  statusObject(reply, 'Forbidden');
  if (count !== 0) fail(`${reply.request}: refused, and yet the object is there`);
}
