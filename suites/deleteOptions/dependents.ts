// What becomes of an object's dependents: per kind of the owner, per kind of the dependent.
import type { Operation } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { equal, fail, success } from '../support/expect.js';
import { at, type JsonObject } from '../support/json.js';
import { configMaps, nodes } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { type Made, pathTo } from '../support/scope.js';
import { leaving } from '../support/validCalls.js';
import type { Context } from '../support/worker.js';
import {
  bodyFor,
  type Deletion,
  held,
  makeLoose,
  optionsOf,
  type RecordOf,
  remove,
  resourceOf,
  sendDelete,
} from './calls.js';
import {
  isGone,
  makeDependent,
  marked,
  needsCollector,
  owns,
  refTo,
  release,
  type Settled,
  settled,
} from './family.js';

interface Fate extends Settled {
  readonly reply: Reply;
  readonly was: Made;
}

/** Deletes an owner with a dependent and waits for what becomes of them. */
async function fateOf(context: Context, operation: Operation, deletion: Deletion): Promise<Fate> {
  const { client, scope } = context;
  const owner = await makeLoose(scope, resourceOf(operation));
  const dependent = await makeDependent(scope, [refTo(owner)], { namespace: owner.namespace });
  const reply = await remove(client, operation, owner, deletion);
  return { reply, was: owner, ...(await settled(context, owner, dependent)) };
}

/** Deletes an owner in the foreground while a finalizer holds its dependent; lets that go and waits for both. */
async function foreground(context: Context, operation: Operation) {
  const { client, scope } = context;
  const owner = await makeLoose(scope, resourceOf(operation));
  const { namespace } = owner;
  const dependent = await makeDependent(scope, [refTo(owner, true)], { namespace, finalizers: [held] });
  const options = optionsOf({ propagationPolicy: 'Foreground' });
  const reply = await remove(client, operation, owner, { options });
  const waiting = await marked(context, dependent);
  const meanwhile = await scope.current(owner);
  await release(context, dependent);
  return { reply, waiting, meanwhile, ended: await settled(context, owner, dependent) };
}

/** Deletes one of two owners; a dependent of that one alone shows when the collector has been there. */
async function shared(context: Context, operation: Operation) {
  const { client, scope } = context;
  const owner = await makeLoose(scope, resourceOf(operation));
  const other = await makeLoose(scope, resourceOf(operation));
  const { namespace } = owner;
  const dependent = await makeDependent(scope, [refTo(owner), refTo(other)], { namespace });
  const witness = await makeDependent(scope, [refTo(owner)], { namespace });
  const reply = await remove(client, operation, owner, { options: optionsOf({ orphanDependents: false }) });
  const collected = await isGone(context, witness);
  return { reply, collected, dependent: await scope.current(dependent) };
}

export const performers = {
  owners: async ({ operation }: OperationSubject, context: Context) => {
    await needsCollector(context);
    const fate = (fields: JsonObject) => fateOf(context, operation, { options: optionsOf(fields) });
    const [background, flagOff, orphan, orphanFlag, first, sharing] = await Promise.all([
      fate({ propagationPolicy: 'Background' }),
      fate({ orphanDependents: false }),
      fate({ propagationPolicy: 'Orphan' }),
      fate({ orphanDependents: true }),
      foreground(context, operation),
      shared(context, operation),
    ]);
    return { background, flagOff, orphan, orphanFlag, first, sharing };
  },
  defaultPolicies: async ({ operation }: OperationSubject, context: Context) => {
    await needsCollector(context);
    return fateOf(context, operation, bodyFor(operation, optionsOf()));
  },
  dependents: async ({ operation }: OperationSubject, context: Context) => {
    const { client, scope } = context;
    await needsCollector(context);
    const resource = resourceOf(operation);
    const owner = await scope.make(resource.namespaced ? configMaps : nodes);
    const { namespace } = owner;
    const dependent = await makeDependent(scope, [refTo(owner)], { resource, namespace });
    const path = pathTo(owner.resource, 'delete', namespace, owner.name);
    const reply = await sendDelete(client, path, { options: optionsOf({ orphanDependents: false }) });
    const after = await marked(context, dependent);
    return { reply, after, kind: resource.kind };
  },
};

function collected({ reply, owner, dependent }: Fate): void {
  success(reply);
  if (owner !== undefined) fail(`${reply.request}, then read: the object is still there`);
  if (dependent !== undefined) fail(`${reply.request}: the dependent is still there`);
}

function orphaned({ reply, was, owner, dependent }: Fate): void {
  success(reply);
  if (owner !== undefined) fail(`${reply.request}, then read: the object is still there`);
  if (dependent === undefined) fail(`${reply.request}: the dependent is gone`);
  equal(owns(was, dependent), false, `${reply.request}: the dependent still names its owner`);
}

type Owners = RecordOf<typeof performers.owners>;

export const checks = {
  'dependents-background': ({ background }: Owners) => collected(background),
  'dependents-flag-off': ({ flagOff }: Owners) => collected(flagOff),
  'dependents-orphan': ({ orphan }: Owners) => orphaned(orphan),
  'dependents-orphan-flag': ({ orphanFlag }: Owners) => orphaned(orphanFlag),
  'dependents-foreground': ({ first: { reply, waiting, meanwhile, ended } }: Owners) => {
    success(reply);
    if (waiting === undefined) fail(`${reply.request}: the dependent is gone in spite of its finalizer`);
    equal(leaving(waiting), true, `${reply.request}: the blocking dependent is being deleted`);
    if (meanwhile === undefined) fail(`${reply.request}: the object is gone before its blocking dependent`);
    if (ended.dependent !== undefined) fail(`${reply.request}: the dependent is still there, nothing holds it`);
    if (ended.owner !== undefined) fail(`${reply.request}: the object is still there after its last dependent`);
  },
  'dependents-other-owner': ({ sharing: { reply, collected, dependent } }: Owners) => {
    success(reply);
    equal(collected, true, `${reply.request}: a dependent without another owner is gone`);
    if (leavingOrGone(dependent)) fail(`${reply.request}: a dependent that has another owner is gone or leaving`);
  },
  'dependents-default': (fate: RecordOf<typeof performers.defaultPolicies>) => {
    const { kind } = fate.was.resource;
    // Recorded on real servers: one generation orphans the dependents of a Job, an earlier one collects them.
    if (kind === 'ReplicaSet' || (kind === 'Job' && fate.dependent !== undefined)) orphaned(fate);
    else collected(fate);
  },
  'dependents-every-kind': ({ reply, after, kind }: RecordOf<typeof performers.dependents>) => {
    success(reply);
    // Recorded on real servers: their collectors pass over events.
    if (kind !== 'Event' && !leavingOrGone(after)) fail(`${reply.request}: the dependent stays`);
  },
};

function leavingOrGone(object: JsonObject | undefined): boolean {
  return object === undefined || at(object, 'metadata', 'deletionTimestamp') !== undefined;
}
