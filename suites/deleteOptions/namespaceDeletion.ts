// The end of a namespace: Terminating, closed to new objects, emptied, and gone once nothing holds it. The chapter
// subresources uses the same delete and the same checks for a namespace that its own finalizer holds.

import { type Operation, operations, type Resource, resources } from '../../matrix/api/index.js';
import {
  equal,
  fail,
  holds,
  nonEmptyString,
  Prerequisite,
  status,
  statusObject,
  success,
  Unchecked,
} from '../client/expect.js';
import type { JsonObject } from '../client/json.js';
import { endOf } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { whenControlled } from '../objects/controllers.js';
import { configMaps } from '../objects/related.js';
import { admitsAnyPod, type CreatedObject } from '../objects/sandbox.js';
import { leaving, objectsNamed } from '../objects/validCalls.js';
import { sendBody } from '../objects/writes.js';
import type { Target } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { skipReason } from '../run/skips.js';
import { type Deletion, held, makeWithoutFinalizers, optionsOf, remove, sendDelete, stays } from './calls.js';
import { isGone, releaseFinalizers } from './ownership.js';
import { areTold, watchingRemovals } from './removals.js';

const foreignUid = '11111111-2222-3333-4444-555555555555';

/** Returns the resources that can be created in a namespace on this target. */
function contentsOf(target: Target): Resource[] {
  return resources.filter((resource) => {
    const create = operations.find((operation) => operation.resource === resource && operation.verb === 'create');
    const read = operations.find(
      (operation) => operation.resource === resource && ['read', 'list'].includes(operation.verb),
    );
    if (!resource.namespaced || resource.storageVersion !== undefined || !create || !read) return false;
    return skipReason(target, { id: '', resource: '', operation: create }) === undefined;
  });
}

/** Creates an object of each resource in a new namespace, whose service account may be created a moment later. */
async function fill({ run, sandbox }: Context, namespace: string): Promise<CreatedObject[]> {
  const contents: CreatedObject[] = [];
  for (const resource of contentsOf(run.target)) {
    const make = () =>
      makeWithoutFinalizers(sandbox, resource, { namespace }).catch((error: unknown) => {
        if (!(error instanceof Prerequisite)) throw error;
        return undefined;
      });
    const made = await whenControlled(sandbox, make, (object) => object !== undefined);
    contents.push(made ?? (await sandbox.make(resource, { namespace })));
  }
  return contents;
}

/** A namespace after its delete, while something holds it. */
export interface EndingNamespace {
  readonly reply: Reply;
  /** The namespace right after the delete. */
  readonly terminating: JsonObject | undefined;
  /** A create in the namespace, and the number of objects with that name afterwards. */
  readonly late: Reply;
  readonly created: number;
  /** The objects that remain in the namespace when the timeout of the run is over. */
  readonly left: readonly CreatedObject[];
  /** The namespace after its contents. */
  readonly meanwhile: JsonObject | undefined;
}

/** Deletes a namespace, tries to create an object in it, and waits until its contents are gone. */
export async function endNamespace(
  context: Context,
  operation: Operation,
  namespace: CreatedObject,
  contents: readonly CreatedObject[],
  deletion: Deletion = {},
): Promise<EndingNamespace> {
  const { client, sandbox } = context;
  const reply = await remove(client, operation, namespace, deletion);
  const terminating = await sandbox.current(namespace);
  const name = sandbox.name();
  const body = sandbox.body(configMaps, name, namespace.name);
  const late = await sendBody(sandbox, 'POST', pathTo(configMaps, 'create', namespace.name), body);
  const created = objectsNamed(await sandbox.list(configMaps, namespace.name), name).length;
  const left: CreatedObject[] = [];
  // After the timeout is over for one object, the check does not wait for the others.
  for (const made of contents) {
    const goes = left.length === 0 ? await isGone(context, made) : (await sandbox.current(made)) === undefined;
    if (!goes) left.push(made);
  }
  return { reply, terminating, late, created, left, meanwhile: await sandbox.current(namespace) };
}

/** Throws Failure unless the namespace is Terminating and has a deletion timestamp. */
export function isTerminating(namespace: unknown, what: string): void {
  holds(namespace, { kind: 'Namespace', status: { phase: 'Terminating' } }, what);
  nonEmptyString(endOf(namespace), `${what}: metadata.deletionTimestamp`);
}

/** Throws Failure unless the response to the delete and a read show a namespace that is Terminating. */
export function becomesTerminating({ reply, terminating }: EndingNamespace): void {
  success(reply);
  isTerminating(reply.value(), reply.request);
  isTerminating(terminating, `${reply.request}, then read`);
}

/** Throws Failure unless the create after the delete was forbidden and created nothing. */
export function isClosed({ late, created }: EndingNamespace): void {
  status(late, 403);
  statusObject(late, 'Forbidden');
  equal(created, 0, `${late.request} in a namespace that is Terminating, then list: objects of that name`);
}

/** Throws Failure unless the namespace is empty. */
export function isEmptied({ reply, left }: EndingNamespace): void {
  success(reply);
  const names = left.map(({ resource, name }) => `${resource.plural}/${name}`);
  if (names.length > 0) fail(`${reply.request}: still in the namespace: ${names.join(', ')}`);
}

/** Deletes without an effect: a dry run, and a precondition that does not hold. */
const unreal = { dryRun: { dryRun: ['All'] }, precondition: { preconditions: { uid: foreignUid } } } as const;

/** A delete of the namespace default, and the way that prevents an effect. */
export interface DefaultDeletion {
  readonly way: keyof typeof unreal;
  readonly reply: Reply;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/**
 * Tries to delete the namespace default, in a way that had no effect on a namespace of the run: a server that violates
 * the rule must not lose its default namespace. Returns undefined if the target has no such way.
 */
export async function deleteDefault(
  { client, sandbox }: Context,
  operation: Operation,
): Promise<DefaultDeletion | undefined> {
  const own = await sandbox.make(resourceOf(operation));
  const kept = { resource: own.resource, name: 'default' };
  for (const way of ['dryRun', 'precondition'] as const) {
    const options = optionsOf(unreal[way]);
    await remove(client, operation, own, { options });
    if (!stays(own, await sandbox.current(own))) continue;
    const before = await sandbox.current(kept);
    const reply = await sendDelete(client, pathTo(kept.resource, 'delete', undefined, kept.name), { options });
    return { way, reply, before, after: await sandbox.current(kept) };
  }
  return undefined;
}

/** Throws Failure unless the delete of the namespace default was refused. Throws Unchecked if it was not tried. */
export function isForbidden(deletion: DefaultDeletion | undefined): DefaultDeletion {
  if (deletion === undefined)
    throw new Unchecked(
      'skipped',
      'not tried: neither a dry run nor a precondition keeps a namespace here',
      'not-safe',
    );
  const { way, reply } = deletion;
  // a precondition that does not hold is a conflict too
  status(reply, ...(way === 'dryRun' ? [403] : [403, 409]));
  statusObject(reply, 'Forbidden', ...(way === 'dryRun' ? [] : ['Conflict']));
  return deletion;
}

export const namespaceGroups = [
  group({
    subjects: 'namespaceEnds',
    setup: async ({ operation }, context) => {
      const { sandbox } = context;
      const namespace = await sandbox.make(resourceOf(operation), { labels: admitsAnyPod });
      const contents = await fill(context, namespace.name);
      const change = { metadata: { finalizers: [held] } };
      const holder = await sandbox.make(configMaps, { namespace: namespace.name, change });
      const { result: ending, untold } = await watchingRemovals(context, contents, () =>
        endNamespace(context, operation, namespace, contents, { options: optionsOf() }),
      );
      const holding = await sandbox.current(holder);
      await releaseFinalizers(context, holder);
      // The controller of a real server looks again only after a while.
      const gone =
        ending.left.length === 0 && ((await isGone(context, namespace)) || (await isGone(context, namespace)));
      return { ...ending, untold, holding, gone, ofDefault: await deleteDefault(context, operation) };
    },
    checks: {
      'namespace-terminating': becomesTerminating,
      'namespace-closed': isClosed,
      'namespace-contents': (ending) => {
        isEmptied(ending);
        areTold(ending.untold, ending.reply.request);
      },
      'namespace-held': ({ reply, meanwhile, holding }) => {
        success(reply);
        if (holding === undefined) fail(`${reply.request}: an object with a finalizer is gone from the namespace`);
        if (meanwhile === undefined) fail(`${reply.request}: the namespace is gone, an object in it is not`);
        equal(leaving(meanwhile), true, `${reply.request}: the namespace waits for what is in it`);
      },
      'namespace-gone': ({ reply, gone }) => {
        success(reply);
        equal(gone, true, `${reply.request}: the namespace goes after its contents`);
      },
      'namespace-default': ({ ofDefault }) => {
        status(isForbidden(ofDefault).reply, 403);
      },
    },
  }),
];
