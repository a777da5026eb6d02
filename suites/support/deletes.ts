// Whether a target deletes what it is told to and nothing else: tried on objects of the run before any other delete.
import { randomBytes } from 'node:crypto';
import { type Resource, type Verb, verbs } from '../../matrix/api/index.js';
import type { NotSupported, Target } from '../../matrix/requirements/index.js';
import type { Call } from './calls.js';
import type { Client } from './client.js';
import { Failure, Prerequisite, Unjudged } from './expect.js';
import { at, itemsOf, type JsonObject } from './json.js';
import { byId } from './related.js';
import { NoAnswer } from './reply.js';
import { type Made, type MakeOptions, pathTo, Scope } from './scope.js';

/** Why deletes of one kind are not sent: the target deletes too much, or it could not be tried what it deletes. */
export interface Mistrust {
  readonly why: 'deletes-too-much' | 'untried';
  readonly reason: string;
}

/** Why deletes are not sent: those of one object by its name, and those of collections. Absent where they are. */
export interface Undeletable {
  readonly objects?: Mistrust;
  readonly collections?: Mistrust;
}

/** Why, as a sentence that follows "because". */
export const mistrustOf = ({ why, reason }: Mistrust): string =>
  why === 'untried'
    ? `the run could not test what a delete deletes: ${reason}`
    : `the target deletes too much: ${reason}`;

/** How often each step of the trial is taken, where its answer is lost or is no use. */
const tries = 3;

/** Kinds that the trial can be made with: the first that the target offers. */
const kinds = ['core/configmaps', 'core/secrets', 'core/services', 'core/pods'] as const;
const canary = 'kube-api-conformance/canary';

/**
 * Tries deletes on a few objects in two namespaces of the run, which the cleaning up removes. Never rejects for what the
 * target does: where nothing can be tried, nothing is deleted.
 */
export async function tryDeletes(
  client: Client,
  runId: string,
  notSupported: readonly NotSupported[],
): Promise<Undeletable> {
  const kind = kinds.find((id) => !notSupported.some(({ capability }) => capability === `resource:${id}`));
  if (kind === undefined) {
    const all = { why: 'untried', reason: `none of ${kinds.join(', ')} is offered` } as const;
    return { objects: all, collections: all };
  }
  return await tryOn(byId(kind), new Scope(client, runId, `trial${randomBytes(2).toString('hex')}`));
}

async function tryOn(resource: Resource, scope: Scope): Promise<Undeletable> {
  let objects: Mistrust | undefined = untried('the trial did not come to it');
  try {
    const made = await makeAll(resource, scope);
    objects = await tryObject(scope, made);
    return objects === undefined ? await tryCollection(scope, made) : { objects, collections: objects };
  } catch (error) {
    if (!(error instanceof Prerequisite || error instanceof NoAnswer || error instanceof Failure)) throw error;
    const collections = untried(error.message);
    return objects === undefined ? { collections } : { objects: collections, collections };
  }
}

const untried = (reason: string): Mistrust => ({ why: 'untried', reason });
const tooMuch = (reason: string): Mistrust => ({ why: 'deletes-too-much', reason });

/** Takes a step again where its answer was lost or is no use; a step that made something makes another one. */
async function again<T>(step: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await step();
    } catch (error) {
      if (count === tries || !(error instanceof Prerequisite || error instanceof NoAnswer)) throw error;
    }
  }
}

/** What is deleted by its name, what is selected, and what must be there afterwards. */
interface Trial {
  readonly resource: Resource;
  readonly here: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly deleted: Made;
  readonly selected: Made;
  readonly other: Made;
  readonly far: Made;
}

async function makeAll(resource: Resource, scope: Scope): Promise<Trial> {
  const here = await again(() => scope.namespace('here'));
  const elsewhere = await again(() => scope.namespace('elsewhere'));
  const labels = { [canary]: scope.name() };
  const make = (options: MakeOptions): Promise<Made> => again(() => scope.make(resource, options));
  const deleted = await make({ namespace: here, labels });
  const selected = await make({ namespace: here, labels });
  const other = await make({ namespace: here, labelled: false });
  const far = await make({ namespace: elsewhere, labels });
  return { resource, here, labels, deleted, selected, other, far };
}

const isAlive = async (scope: Scope, made: Made): Promise<boolean> =>
  !isLeaving(await again(() => scope.current(made)));

/** Why deletes of one object are not sent; undefined where they are. */
async function tryObject(scope: Scope, { resource, here, deleted, selected, other, far }: Trial) {
  const path = pathTo(resource, 'delete', here, deleted.name);
  await again(() => scope.client.send({ method: 'DELETE', path }));
  for (const made of [selected, other, far]) {
    if (!(await isAlive(scope, made))) return tooMuch(`DELETE ${path} deleted ${made.namespace}/${made.name} too`);
  }
  return undefined;
}

async function tryCollection(scope: Scope, trial: Trial): Promise<Undeletable> {
  const { resource, here, labels, other, far } = trial;
  const query = `?labelSelector=${encodeURIComponent(`${canary}=${labels[canary]}`)}`;
  const collection = pathTo(resource, 'list', here) + query;
  // Who shows too much in a list would delete too much: that can be seen before anything is lost.
  const shown = itemsOf(await again(() => scope.list(resource, here, query))).map((item) =>
    at(item, 'metadata', 'name'),
  );
  // what was made while its answer was lost is there too, and selected
  const spared = [other.name, far.name];
  const foreign = shown.find((name) => spared.includes(String(name)) || !scope.isOwnName(String(name)));
  if (foreign !== undefined)
    return { collections: tooMuch(`GET ${collection} shows ${foreign}, which is not selected`) };
  await again(() => scope.client.send({ method: 'DELETE', path: collection }));
  for (const made of [other, far]) {
    if (!(await isAlive(scope, made)))
      return { collections: tooMuch(`DELETE ${collection} deleted ${made.namespace}/${made.name} too`) };
  }
  return {};
}

const isLeaving = (object: JsonObject | undefined): boolean =>
  object === undefined || at(object, 'metadata', 'deletionTimestamp') !== undefined;

/** Throws for every delete that the target cannot be trusted with, or that its owner has not allowed. */
export function guardOf({ disposable }: Target, { objects, collections }: Undeletable): (call: Call) => void {
  return ({ method, path }) => {
    const deletion = method === 'DELETE' ? deletionOf(path) : undefined;
    if (deletion === 'clusterWide' && !disposable) {
      throw new Unjudged(
        'skipped',
        'the target is not disposable: cluster-wide delete-collections are not sent',
        'not-safe',
      );
    }
    const reason = deletion === 'object' ? objects : deletion === undefined ? undefined : collections;
    if (reason !== undefined) throw new Prerequisite(`deletes are not sent, because ${mistrustOf(reason)}`);
  };
}

const subresources = new Set(
  (Object.keys(verbs) as Verb[]).flatMap((verb) => ('suffix' in verbs[verb] ? [verbs[verb].suffix.split('/')[1]] : [])),
);

/** What a DELETE of that path deletes; undefined for what is no object of the target's, such as what a proxy leads to. */
function deletionOf(path: string): 'object' | 'collection' | 'clusterWide' | undefined {
  const rest = /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/([^?]*)/.exec(path)?.[1]?.split('/').filter(Boolean) ?? [];
  if (rest[0] !== 'namespaces' || rest.length < 3 || subresources.has(rest[2] ?? '')) {
    return rest.length === 1 ? 'clusterWide' : rest.length === 2 ? 'object' : undefined;
  }
  return rest.length === 3 ? 'collection' : rest.length === 4 ? 'object' : undefined;
}
