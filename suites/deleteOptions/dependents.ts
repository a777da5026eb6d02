// The dependents of a deleted object: for each kind of the owner, and for each kind of the dependent.

import type { Operation } from '../../matrix/api/index.js';
import { equal, fail, success } from '../client/expect.js';
import { isEnding, type JsonObject } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { configMaps, nodes } from '../objects/related.js';
import type { CreatedObject } from '../objects/sandbox.js';
import { leaving } from '../objects/validCalls.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { bodyFor, type Deletion, held, makeWithoutFinalizers, optionsOf, remove, sendDelete } from './calls.js';
import {
  isGone,
  makeDependent,
  marked,
  needsCollector,
  noticed,
  type OwnerAndDependent,
  owns,
  refTo,
  releaseFinalizers,
  settled,
} from './ownership.js';
import { areTold, watchingRemovals } from './removals.js';

interface Fate extends OwnerAndDependent {
  readonly reply: Reply;
  readonly was: CreatedObject;
  readonly other: CreatedObject | undefined;
}

/** An owner and its dependent, which may have another owner. */
interface Family {
  readonly owner: CreatedObject;
  readonly other?: CreatedObject;
  readonly dependent: CreatedObject;
}

/** Creates an owner and its dependent; the finalizer `held` keeps a blocking dependent until it is released. */
async function makeFamily({ sandbox }: Context, operation: Operation, finalizer?: typeof held): Promise<Family> {
  const owner = await makeWithoutFinalizers(sandbox, resourceOf(operation));
  const { namespace } = owner;
  const dependent = await (finalizer === undefined
    ? makeDependent(sandbox, [refTo(owner)], { namespace })
    : makeDependent(sandbox, [refTo(owner, true)], { namespace, finalizers: [finalizer] }));
  return { owner, dependent };
}

/** Creates a dependent of two owners. */
async function makeSharing({ sandbox }: Context, operation: Operation): Promise<Required<Family>> {
  const owner = await makeWithoutFinalizers(sandbox, resourceOf(operation));
  const other = await makeWithoutFinalizers(sandbox, resourceOf(operation));
  const { namespace } = owner;
  return { owner, other, dependent: await makeDependent(sandbox, [refTo(owner), refTo(other)], { namespace }) };
}

/** Deletes an owner and waits for the end of the owner and its dependent. */
async function fateOf(context: Context, operation: Operation, family: Family, deletion: Deletion): Promise<Fate> {
  const { owner, other, dependent } = family;
  const reply = await remove(context.client, operation, owner, deletion);
  return { reply, was: owner, other, ...(await settled(context, owner, dependent)) };
}

/** Deletes an owner in the foreground while a finalizer holds its dependent, then releases it and waits. */
async function foreground(context: Context, operation: Operation, { owner, dependent }: Family) {
  const { client, sandbox } = context;
  const options = optionsOf({ propagationPolicy: 'Foreground' });
  const reply = await remove(client, operation, owner, { options });
  const waiting = await marked(context, dependent);
  const meanwhile = await sandbox.current(owner);
  await releaseFinalizers(context, dependent);
  return { reply, waiting, meanwhile, ended: await settled(context, owner, dependent) };
}

/** Deletes one of two owners. A dependent of only the deleted owner shows when the collector is done. */
async function shared(context: Context, operation: Operation) {
  const { client, sandbox } = context;
  const { owner, dependent } = await makeSharing(context, operation);
  const witness = await makeDependent(sandbox, [refTo(owner)], { namespace: owner.namespace });
  const reply = await remove(client, operation, owner, { options: optionsOf({ orphanDependents: false }) });
  const collected = await isGone(context, witness);
  return { reply, collected, dependent: await sandbox.current(dependent) };
}

function collected({ reply, owner, dependent }: Fate): void {
  success(reply);
  if (owner !== undefined) fail(`${reply.request}, then read: the object is still there`);
  if (dependent !== undefined) fail(`${reply.request}: the dependent is still there`);
}

function orphaned({ reply, was, other, owner, dependent }: Fate): void {
  success(reply);
  if (owner !== undefined) fail(`${reply.request}, then read: the object is still there`);
  if (dependent === undefined) fail(`${reply.request}: the dependent is gone`);
  equal(owns(was, dependent), false, `${reply.request}: the dependent still names its owner`);
  if (other !== undefined && !owns(other, dependent))
    fail(`${reply.request}: the dependent does not name its other owner any more`);
}

export const dependentGroups = [
  group({
    subjects: 'owners',
    setup: async ({ operation }, context) => {
      await needsCollector(context);
      const make = (finalizer?: typeof held) => makeFamily(context, operation, finalizer);
      const sharing = makeSharing(context, operation);
      const families = await Promise.all([make(), make(), make(), make(), make(held), sharing, make()]);
      await noticed(context, families[0].owner.namespace);
      const fate = (family: Family, fields: JsonObject) =>
        fateOf(context, operation, family, { options: optionsOf(fields) });
      const [background, flagOff, orphan, orphanFlag, orphanOfOne, orphanByQuery, first, kept] = await Promise.all([
        fate(families[0], { propagationPolicy: 'Background' }),
        fate(families[1], { orphanDependents: false }),
        fate(families[2], { propagationPolicy: 'Orphan' }),
        fate(families[3], { orphanDependents: true }),
        fate(families[5], { propagationPolicy: 'Orphan' }),
        fateOf(context, operation, families[6], { query: '?propagationPolicy=Orphan' }),
        foreground(context, operation, families[4]),
        shared(context, operation),
      ]);
      return { background, flagOff, orphan, orphanFlag, orphanOfOne, orphanByQuery, first, kept };
    },
    checks: {
      'dependents-background': ({ background }) => collected(background),
      'dependents-flag-off': ({ flagOff }) => collected(flagOff),
      'dependents-orphan': ({ orphan, orphanOfOne, orphanByQuery }) => {
        for (const fate of [orphan, orphanOfOne, orphanByQuery]) orphaned(fate);
      },
      'dependents-orphan-flag': ({ orphanFlag }) => orphaned(orphanFlag),
      'dependents-foreground': ({ first: { reply, waiting, meanwhile, ended } }) => {
        success(reply);
        if (waiting === undefined) fail(`${reply.request}: the dependent is gone in spite of its finalizer`);
        equal(leaving(waiting), true, `${reply.request}: the blocking dependent is being deleted`);
        if (meanwhile === undefined) fail(`${reply.request}: the object is gone before its blocking dependent`);
        if (ended.dependent !== undefined) fail(`${reply.request}: the dependent is still there, nothing holds it`);
        if (ended.owner !== undefined) fail(`${reply.request}: the object is still there after its last dependent`);
      },
      'dependents-other-owner': ({ kept: { reply, collected, dependent } }) => {
        success(reply);
        equal(collected, true, `${reply.request}: a dependent without another owner is gone`);
        if (leavingOrGone(dependent)) fail(`${reply.request}: a dependent that has another owner is gone or leaving`);
      },
    },
  }),
  group({
    subjects: 'defaultPolicies',
    setup: async ({ operation }, context) => {
      await needsCollector(context);
      const family = await makeFamily(context, operation);
      await noticed(context, family.owner.namespace);
      return fateOf(context, operation, family, bodyFor(operation, optionsOf()));
    },
    checks: {
      'dependents-default': (fate) => {
        const { kind } = fate.was.resource;
        // Recorded on real servers: one version orphans the dependents of a Job, an earlier version collects them.
        if (kind === 'ReplicaSet' || (kind === 'Job' && fate.dependent !== undefined)) orphaned(fate);
        else collected(fate);
      },
    },
  }),
  group({
    subjects: 'dependents',
    setup: async ({ operation }, context) => {
      const { client, sandbox } = context;
      await needsCollector(context);
      const resource = resourceOf(operation);
      const owner = await sandbox.make(resource.namespaced ? configMaps : nodes);
      const { namespace } = owner;
      const dependent = await makeDependent(sandbox, [refTo(owner)], { resource, namespace });
      const path = pathTo(owner.resource, 'delete', namespace, owner.name);
      const { result, untold } = await watchingRemovals(context, [dependent], async () => {
        const reply = await sendDelete(client, path, { options: optionsOf({ orphanDependents: false }) });
        return { reply, after: await marked(context, dependent) };
      });
      return { ...result, untold, kind: resource.kind };
    },
    checks: {
      'dependents-every-kind': ({ reply, after, untold, kind }) => {
        success(reply);
        // Recorded on real servers: their collectors ignore events.
        if (kind !== 'Event' && !leavingOrGone(after)) fail(`${reply.request}: the dependent stays`);
        areTold(untold, reply.request);
      },
    },
  }),
];

function leavingOrGone(object: JsonObject | undefined): boolean {
  return object === undefined || isEnding(object);
}
