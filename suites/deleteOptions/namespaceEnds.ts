// The end of a namespace: Terminating, closed to what is new, emptied, and gone once nothing holds it.
import { type Operation, operations, type Resource, resources } from '../../matrix/api/index.js';
import type { OperationSubject, Target } from '../../matrix/requirements/index.js';
import { inTime } from '../support/eventually.js';
import {
  equal,
  fail,
  holds,
  nonEmptyString,
  Prerequisite,
  status,
  statusObject,
  success,
  Unjudged,
} from '../support/expect.js';
import { gate } from '../support/gate.js';
import { configMaps } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { type Made, pathTo } from '../support/scope.js';
import { leaving, named } from '../support/validCalls.js';
import type { Context } from '../support/worker.js';
import { endOf, held, makeLoose, optionsOf, type RecordOf, remove, resourceOf, sendDelete, stays } from './calls.js';
import { isGone, release } from './family.js';

const json = { 'content-type': 'application/json' };

/** What a namespace can hold on this target: a resource each that can be created in it. */
function contentsOf(target: Target): Resource[] {
  return resources.filter((resource) => {
    const create = operations.find((operation) => operation.resource === resource && operation.verb === 'create');
    const read = operations.find(
      (operation) => operation.resource === resource && ['read', 'list'].includes(operation.verb),
    );
    if (!resource.namespaced || resource.sharedWith !== undefined || !create || !read) return false;
    return gate(target, { id: '', resource: '', operation: create }) === undefined;
  });
}

/** Creates in a namespace that is new: its service account may come a moment later. */
async function fill(context: Context, namespace: string): Promise<Made[]> {
  const contents: Made[] = [];
  for (const resource of contentsOf(context.run.target)) {
    const made = await inTime(context, () =>
      makeLoose(context.scope, resource, { namespace }).catch((error: unknown) => {
        if (!(error instanceof Prerequisite)) throw error;
        return undefined;
      }),
    );
    contents.push(made ?? (await context.scope.make(resource, { namespace })));
  }
  return contents;
}

/**
 * Tries to delete the namespace default, in a way that showed on a namespace of the suite's own to delete nothing.
 * Undefined where no such way is known: it would be real.
 */
async function deleteDefault({ client, scope }: Context, operation: Operation): Promise<Reply | undefined> {
  const own = await scope.make(resourceOf(operation));
  for (const unreal of [{ dryRun: ['All'] }, { preconditions: { uid: '11111111-2222-3333-4444-555555555555' } }]) {
    const options = optionsOf(unreal);
    await remove(client, operation, own, { options });
    if (!stays(own, await scope.current(own))) continue;
    return sendDelete(client, pathTo(own.resource, 'delete', undefined, 'default'), { options });
  }
  return undefined;
}

export const performers = {
  namespaceEnds: async ({ operation }: OperationSubject, context: Context) => {
    const { client, scope } = context;
    const namespace = await scope.make(resourceOf(operation));
    const contents = await fill(context, namespace.name);
    const change = { metadata: { finalizers: [held] } };
    const holder = await scope.make(configMaps, { namespace: namespace.name, change });
    const reply = await remove(client, operation, namespace, { options: optionsOf() });
    const terminating = await scope.current(namespace);
    const name = scope.name();
    const late = await client.send({
      method: 'POST',
      path: pathTo(configMaps, 'create', namespace.name),
      headers: json,
      body: JSON.stringify(scope.body(configMaps, name, namespace.name)),
    });
    const created = named(await scope.list(configMaps, namespace.name), name).length;
    const left: string[] = [];
    // Once the patience is over for one, nobody waits for the others.
    for (const made of contents) {
      const goes = left.length === 0 ? await isGone(context, made) : (await scope.current(made)) === undefined;
      if (!goes) left.push(`${made.resource.plural}/${made.name}`);
    }
    const meanwhile = await scope.current(namespace);
    const holding = await scope.current(holder);
    await release(context, holder);
    // The controller of a real server looks again only after a while.
    const gone = left.length === 0 && ((await isGone(context, namespace)) || (await isGone(context, namespace)));
    return {
      reply,
      terminating,
      late,
      created,
      left,
      meanwhile,
      holding,
      gone,
      ofDefault: await deleteDefault(context, operation),
    };
  },
};

type Ends = RecordOf<typeof performers.namespaceEnds>;

export const checks = {
  'namespace-terminating': ({ reply, terminating }: Ends) => {
    success(reply);
    for (const [object, what] of [
      [reply.value(), 'the answer'],
      [terminating, 'then read'],
    ] as const) {
      holds(object, { kind: 'Namespace', status: { phase: 'Terminating' } }, `${reply.request}, ${what}`);
      nonEmptyString(endOf(object), `${reply.request}, ${what}: metadata.deletionTimestamp`);
    }
  },
  'namespace-closed': ({ late, created }: Ends) => {
    status(late, 403);
    statusObject(late, 'Forbidden');
    equal(created, 0, `${late.request} in a namespace that is Terminating, then list: objects of that name`);
  },
  'namespace-contents': ({ reply, left }: Ends) => {
    success(reply);
    if (left.length > 0) fail(`${reply.request}: still in the namespace: ${left.join(', ')}`);
  },
  'namespace-held': ({ reply, meanwhile, holding }: Ends) => {
    success(reply);
    if (holding === undefined) fail(`${reply.request}: an object with a finalizer is gone from the namespace`);
    if (meanwhile === undefined) fail(`${reply.request}: the namespace is gone, an object in it is not`);
    equal(leaving(meanwhile), true, `${reply.request}: the namespace waits for what is in it`);
  },
  'namespace-gone': ({ reply, gone }: Ends) => {
    success(reply);
    equal(gone, true, `${reply.request}: the namespace goes after its contents`);
  },
  'namespace-default': ({ ofDefault }: Ends) => {
    if (ofDefault === undefined) {
      throw new Unjudged(
        'skipped',
        'not tried: neither a dry run nor a precondition keeps a namespace here',
        'not-safe',
      );
    }
    status(ofDefault, 403);
    statusObject(ofDefault, 'Forbidden');
  },
};
