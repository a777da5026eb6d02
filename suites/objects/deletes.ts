// Whether a target deletes only the selected objects: tried on objects of the run before any other delete.
import { randomBytes } from 'node:crypto';
import { defined, type FoundKind, type Resource, tableOfKinds, type Verb, verbs } from '../../matrix/api/index.js';
import type { Call } from '../client/calls.js';
import type { Client } from '../client/client.js';
import { Failure, Prerequisite, Unchecked } from '../client/expect.js';
import { at, isEnding, itemsOf, type JsonObject } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { NoAnswer } from '../client/reply.js';
import type { NotSupported, Target } from '../requirements/index.js';
import { hasNamespaces } from './namespaceServer.js';
import { namespaceGuard } from './oneNamespace.js';
import { byId } from './related.js';
import { type CreatedObject, type MakeOptions, Sandbox } from './sandbox.js';

/** Why deletes of one kind are not sent: the target deletes too much, or the trial of deletes failed. */
export interface UnsafeDeletes {
  readonly why: 'deletes-too-much' | 'untried';
  readonly reason: string;
}

/** Why deletes are not sent: of single objects, and of collections. A member is absent if such deletes are sent. */
export interface Undeletable {
  readonly objects?: UnsafeDeletes;
  readonly collections?: UnsafeDeletes;
}

/** Returns the reason as a sentence that follows "because". */
export const unsafeDeletesReason = ({ why, reason }: UnsafeDeletes): string =>
  why === 'untried'
    ? `the run could not test what a delete deletes: ${reason}`
    : `the target deletes too much: ${reason}`;

/** The maximum number of tries of each step of the trial, if its response is lost or useless. */
const tries = 3;

/** The kinds for the trial, which uses the first kind that can be made, or else one that only the target knows. */
const kinds = ['core/configmaps', 'core/secrets', 'core/services', 'core/pods'] as const;
const canary = 'kube-api-conformance/canary';

/**
 * Tries deletes on a few objects in two namespaces of the run, which the clean-up removes. Never rejects because of the
 * target: if nothing can be tried, the result says to delete nothing.
 */
export async function tryDeletes(
  client: Client,
  runId: string,
  notSupported: readonly NotSupported[],
  found: readonly FoundKind[] = [],
): Promise<Undeletable> {
  const absent = new Set<string>(notSupported.map(({ capability }) => capability));
  const offered = absent.has('group:core') ? [] : kinds.filter((id) => !absent.has(`resource:${id}`)).map(byId);
  const resources = offered.length === 0 ? triedAmong(found) : offered;
  if (resources.length === 0) {
    const all = { why: 'untried', reason: `none of ${kinds.join(', ')} is offered` } as const;
    return { objects: all, collections: all };
  }
  const worker = `trial${randomBytes(2).toString('hex')}`;
  return await tryOn(resources, new Sandbox(client, runId, worker, hasNamespaces(notSupported)));
}

/** Returns the kind for the trial among those that only the target knows: a namespaced one, if objects of one can be made. */
function triedAmong(found: readonly FoundKind[]): readonly Resource[] {
  const possible = tableOfKinds(found).resources.filter(canBeTried);
  const one = possible.find(({ namespaced }) => namespaced) ?? possible[0];
  return one === undefined ? [] : [one];
}

const canBeTried = ({ found, stated }: Resource): boolean =>
  found?.sample !== undefined && (['read', 'list', 'delete'] as const).every((verb) => stated.includes(verb));

async function tryOn(resources: readonly Resource[], sandbox: Sandbox): Promise<Undeletable> {
  let objects: UnsafeDeletes | undefined = untried('the trial did not reach it');
  try {
    const made = await makeAny(resources, sandbox);
    objects = await tryObject(sandbox, made);
    if (objects === undefined && sandbox.client.target.only !== undefined)
      return { collections: untried('the run may use one namespace only') };
    if (objects === undefined && !made.resource.namespaced)
      return { collections: untried('no object of a namespaced kind could be made') };
    return objects === undefined ? await tryCollection(sandbox, made) : { objects, collections: objects };
  } catch (error) {
    if (!(error instanceof Prerequisite || error instanceof NoAnswer || error instanceof Failure)) throw error;
    const collections = untried(error.message);
    return objects === undefined ? { collections } : { objects: collections, collections };
  }
}

const untried = (reason: string): UnsafeDeletes => ({ why: 'untried', reason });
const tooMuch = (reason: string): UnsafeDeletes => ({ why: 'deletes-too-much', reason });

/** Repeats a step whose response was lost or useless. A repeated create makes another object. */
async function again<T>(step: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await step();
    } catch (error) {
      if (count === tries || !(error instanceof Prerequisite || error instanceof NoAnswer)) throw error;
    }
  }
}

/** The objects of the trial: one to delete by name, one to select, and two that must remain. */
interface Trial {
  readonly resource: Resource;
  /** The namespace of the trial; absent for a cluster-scoped kind. */
  readonly here?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly deleted: CreatedObject;
  readonly selected: CreatedObject;
  readonly other: CreatedObject;
  readonly far: CreatedObject;
}

/** Makes the objects of the first kind that the target lets the run create. Throws why not of the first kind. */
async function makeAny(resources: readonly Resource[], sandbox: Sandbox): Promise<Trial> {
  const placeIn = async (name: string) => ({ namespace: await again(() => sandbox.namespace(name)) });
  const isNamespaced = resources.some(({ namespaced }) => namespaced);
  const here = isNamespaced ? await placeIn('here') : {};
  const elsewhere = isNamespaced && sandbox.client.target.only === undefined ? await placeIn('elsewhere') : here;
  let refused: unknown;
  for (const resource of resources) {
    try {
      return await makeAll(resource, sandbox, here, elsewhere);
    } catch (error) {
      if (!(error instanceof Prerequisite)) throw error;
      refused ??= error;
    }
  }
  throw refused;
}

type Place = Pick<MakeOptions, 'namespace'>;

async function makeAll(resource: Resource, sandbox: Sandbox, here: Place, elsewhere: Place): Promise<Trial> {
  const labels = { [canary]: sandbox.name() };
  const make = (options: MakeOptions): Promise<CreatedObject> => again(() => sandbox.make(resource, options));
  const deleted = await make({ ...here, labels });
  const selected = await make({ ...here, labels });
  const other = await make({ ...here, labelled: false });
  const far = await make({ ...elsewhere, labels });
  return { resource, ...defined({ here: here.namespace }), labels, deleted, selected, other, far };
}

const isAlive = async (sandbox: Sandbox, made: CreatedObject): Promise<boolean> =>
  !isLeaving(await again(() => sandbox.current(made)));

/** Returns why deletes of one object are not to be sent; undefined if they are. */
async function tryObject(sandbox: Sandbox, { resource, here, deleted, selected, other, far }: Trial) {
  const path = pathTo(resource, 'delete', here, deleted.name);
  await again(() => sandbox.client.send({ method: 'DELETE', path }));
  for (const made of [selected, other, far]) {
    if (!(await isAlive(sandbox, made)))
      return tooMuch(`DELETE ${path} deleted ${[made.namespace, made.name].filter(Boolean).join('/')} too`);
  }
  return undefined;
}

async function tryCollection(sandbox: Sandbox, trial: Trial): Promise<Undeletable> {
  const { resource, here, labels, other, far } = trial;
  const query = `?labelSelector=${encodeURIComponent(`${canary}=${labels[canary]}`)}`;
  const collection = pathTo(resource, 'list', here) + query;
  // A server that lists too much would delete too much: the list shows this before anything is lost.
  const shown = itemsOf(await again(() => sandbox.list(resource, here, query))).map((item) =>
    at(item, 'metadata', 'name'),
  );
  // objects whose create lost its response are also there, and selected
  const spared = [other.name, far.name];
  const foreign = shown.find((name) => spared.includes(String(name)) || !sandbox.isOwnName(String(name)));
  if (foreign !== undefined)
    return { collections: tooMuch(`GET ${collection} shows ${foreign}, which is not selected`) };
  await again(() => sandbox.client.send({ method: 'DELETE', path: collection }));
  for (const made of [other, far]) {
    if (!(await isAlive(sandbox, made)))
      return { collections: tooMuch(`DELETE ${collection} deleted ${made.namespace}/${made.name} too`) };
  }
  return {};
}

const isLeaving = (object: JsonObject | undefined): boolean => object === undefined || isEnding(object);

/** Returns a function that throws for every write that is not trusted or that the owner has not allowed. */
export function guardOf(target: Target, { objects, collections }: Undeletable): (call: Call) => void {
  const { disposable } = target;
  const guardNamespace = namespaceGuard(target);
  return (call) => {
    guardNamespace(call);
    const { method, path } = call;
    const deletion = method === 'DELETE' ? deletionOf(path) : undefined;
    if (deletion === 'clusterWide' && !disposable) {
      throw new Unchecked(
        'skipped',
        'the target is not disposable: cluster-wide delete-collections are not sent',
        'not-safe',
      );
    }
    const reason = deletion === 'object' ? objects : deletion === undefined ? undefined : collections;
    if (reason !== undefined) throw new Prerequisite(`deletes are not sent, because ${unsafeDeletesReason(reason)}`);
  };
}

const subresources = new Set(
  (Object.keys(verbs) as Verb[]).flatMap((verb) => ('suffix' in verbs[verb] ? [verbs[verb].suffix.split('/')[1]] : [])),
);

/** Returns the scope of a DELETE of that path; undefined if it is not an object of the target, as behind a proxy. */
function deletionOf(path: string): 'object' | 'collection' | 'clusterWide' | undefined {
  const rest = /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/([^?]*)/.exec(path)?.[1]?.split('/').filter(Boolean) ?? [];
  if (rest[0] !== 'namespaces' || rest.length < 3 || subresources.has(rest[2] ?? '')) {
    return rest.length === 1 ? 'clusterWide' : rest.length === 2 ? 'object' : undefined;
  }
  return rest.length === 3 ? 'collection' : rest.length === 4 ? 'object' : undefined;
}
