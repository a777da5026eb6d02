// Whether a target deletes what it is told to and nothing else: tried on objects of the run before any other delete.
import { randomBytes } from 'node:crypto';
import { type Resource, type Verb, verbs } from '../../matrix/api/index.js';
import type { NotOffered, Target } from '../../matrix/requirements/index.js';
import type { Call } from './calls.js';
import type { Client } from './client.js';
import { Prerequisite, Unjudged } from './expect.js';
import { at, itemsOf, type JsonObject } from './json.js';
import { byId } from './related.js';
import { NoAnswer } from './reply.js';
import { pathTo, Scope } from './scope.js';

/** Why deletes are not sent: those of one object by its name, and those of collections. Absent where they are. */
export interface Undeletable {
  readonly objects?: string;
  readonly collections?: string;
}

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
  notOffered: readonly NotOffered[],
): Promise<Undeletable> {
  const kind = kinds.find((id) => !notOffered.some(({ capability }) => capability === `resource:${id}`));
  const all = (reason: string): Undeletable => ({ objects: reason, collections: reason });
  if (kind === undefined)
    return all(`none of ${kinds.join(', ')} is offered: it cannot be tried what a delete deletes`);
  try {
    return await tryOn(byId(kind), new Scope(client, runId, `trial${randomBytes(2).toString('hex')}`));
  } catch (error) {
    if (!(error instanceof Prerequisite || error instanceof NoAnswer)) throw error;
    return all(`it could not be tried what a delete deletes: ${error.message}`);
  }
}

async function tryOn(resource: Resource, scope: Scope): Promise<Undeletable> {
  const [here, elsewhere] = [await scope.namespace('here'), await scope.namespace('elsewhere')];
  const labels = { [canary]: scope.name() };
  const deleted = await scope.make(resource, { namespace: here, labels });
  const selected = await scope.make(resource, { namespace: here, labels });
  const other = await scope.make(resource, { namespace: here, labelled: false });
  const far = await scope.make(resource, { namespace: elsewhere, labels });
  const isAlive = async (made: typeof far): Promise<boolean> => !isLeaving(await scope.current(made));

  const path = pathTo(resource, 'delete', here, deleted.name);
  await scope.client.send({ method: 'DELETE', path });
  for (const made of [selected, other, far]) {
    if (await isAlive(made)) continue;
    const reason = `DELETE ${path} deleted ${made.namespace}/${made.name} too`;
    return { objects: reason, collections: reason };
  }

  const query = `?labelSelector=${encodeURIComponent(`${canary}=${labels[canary]}`)}`;
  const collection = pathTo(resource, 'list', here) + query;
  // Who shows too much in a list would delete too much: that can be seen before anything is lost.
  const shown = itemsOf((await scope.list(resource, here, query)) as JsonObject).map((item) =>
    at(item, 'metadata', 'name'),
  );
  const foreign = shown.find((name) => name !== selected.name && name !== deleted.name);
  if (foreign !== undefined) return { collections: `GET ${collection} shows ${foreign}, which is not selected` };
  await scope.client.send({ method: 'DELETE', path: collection });
  for (const made of [other, far]) {
    if (!(await isAlive(made)))
      return { collections: `DELETE ${collection} deleted ${made.namespace}/${made.name} too` };
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
      throw new Unjudged('not-run', 'the target is not disposable: cluster-wide delete-collections are not sent');
    }
    const reason = deletion === 'object' ? objects : deletion === undefined ? undefined : collections;
    if (reason !== undefined)
      throw new Prerequisite(`deletes are not sent, because the target deletes too much: ${reason}`);
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
