// Rules of the garbage collector that do not depend on the kind: chains, shared and lost owners, collections.

import { equal, fail, success } from '../client/expect.js';
import { at, endOf, type JsonObject } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { configMaps } from '../objects/related.js';
import { groupLabel } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { type Deletion, held, optionsOf, remove, sendDelete } from './calls.js';
import {
  isGone,
  makeDependent,
  needsCollector,
  noticed,
  type OwnerAndDependent,
  owns,
  refTo,
  releaseFinalizers,
  settled,
} from './ownership.js';

type Delete = OperationSubject['operation'];

type Propagation = 'Background' | 'Foreground' | 'Orphan';
type Policy = Deletion & { readonly policy: Propagation };

const inBody = (policy: Propagation): Policy => ({ policy, options: optionsOf({ propagationPolicy: policy }) });
const inQuery = (policy: Propagation): Policy => ({ policy, query: `?propagationPolicy=${policy}` });
const foreground = inBody('Foreground');

async function unblocking(context: Context, operation: Delete) {
  const { client, sandbox } = context;
  const owner = await sandbox.make(configMaps);
  const dependent = await makeDependent(sandbox, [refTo(owner)], { finalizers: [held] });
  const reply = await remove(client, operation, owner, foreground);
  const gone = await isGone(context, owner);
  const meanwhile = await sandbox.current(dependent);
  await releaseFinalizers(context, dependent);
  return { reply, gone, meanwhile };
}

async function shared(context: Context, operation: Delete) {
  const { client, sandbox } = context;
  const owner = await sandbox.make(configMaps);
  const other = await sandbox.make(configMaps);
  const dependent = await makeDependent(sandbox, [refTo(owner, true), refTo(other)]);
  const reply = await remove(client, operation, owner, foreground);
  return { reply, gone: await isGone(context, owner), dependent: await sandbox.current(dependent) };
}

async function chain(context: Context, operation: Delete) {
  const { client, sandbox } = context;
  const owner = await sandbox.make(configMaps);
  const child = await makeDependent(sandbox, [refTo(owner)]);
  const grandchild = await makeDependent(sandbox, [refTo(child)]);
  const reply = await remove(client, operation, owner, inBody('Background'));
  return { reply, gone: await isGone(context, grandchild) };
}

async function lost(context: Context) {
  const { sandbox } = context;
  const uid = '11111111-2222-3333-4444-555555555555';
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never-been-there', uid };
  const dependent = await makeDependent(sandbox, [reference]);
  // Without the reference there is nothing to collect.
  const owned = at(dependent.object, 'metadata', 'ownerReferences', 0, 'uid') === uid;
  return { owned, gone: owned && (await isGone(context, dependent)) };
}

interface Collection extends OwnerAndDependent {
  readonly policy: Propagation;
}

/** Deletes a collection of one owner with each policy, and waits for the end of the owner and its dependent. */
async function collections(context: Context): Promise<Collection[]> {
  const { client, sandbox } = context;
  await sandbox.selectorsAreRespected(configMaps);
  const families = await Promise.all(
    [inBody('Orphan'), inQuery('Orphan'), inBody('Background')].map(async (deletion) => {
      const group = sandbox.name();
      const owner = await sandbox.make(configMaps, { labels: { [groupLabel]: group } });
      return { ...deletion, group, owner, dependent: await makeDependent(sandbox, [refTo(owner)]) };
    }),
  );
  await noticed(context, families[0]?.owner.namespace);
  return Promise.all(
    families.map(async ({ policy, group, owner, dependent, query = '', ...deletion }) => {
      const path = pathTo(configMaps, 'deleteCollection', owner.namespace);
      const selector = `?labelSelector=${encodeURIComponent(`${groupLabel}=${group}`)}`;
      const reply = await sendDelete(client, path, { ...deletion, query: selector + query.replace('?', '&') });
      success(reply);
      const last = await settled(context, owner, dependent);
      equal(owns(owner, last.dependent), false, `${reply.request}: the dependent still names its owner`);
      return { policy, ...last };
    }),
  );
}

const there = (object: JsonObject | undefined): boolean => object !== undefined && endOf(object) === undefined;

export const collectorGroups = [
  group({
    subjects: 'collector',
    setup: async ({ operation }, context) => {
      await needsCollector(context);
      return {
        unblocking: await unblocking(context, operation),
        shared: await shared(context, operation),
        chain: await chain(context, operation),
        lost: await lost(context),
        collections: await collections(context),
      };
    },
    checks: {
      'dependents-unblocking': ({ unblocking: { reply, gone, meanwhile } }) => {
        success(reply);
        equal(gone, true, `${reply.request}: the object goes although a dependent that does not block it is there`);
        if (meanwhile === undefined) fail(`${reply.request}: the dependent is gone in spite of its finalizer`);
      },
      'dependents-shared': ({ shared: { reply, gone, dependent } }) => {
        success(reply);
        equal(gone, true, `${reply.request}: the object goes although its dependent stays`);
        equal(there(dependent), true, `${reply.request}: the dependent that has another owner stays`);
      },
      'dependents-chain': ({ chain: { reply, gone } }) => {
        success(reply);
        equal(gone, true, `${reply.request}: the dependent of the dependent goes`);
      },
      'dependents-lost': ({ lost: { owned, gone } }) => {
        equal(owned, true, 'a create with an ownerReference: the reference is in the answer');
        equal(gone, true, 'an object whose only owner is not there goes');
      },
      'dependents-collection': ({ collections }) => {
        for (const { policy, owner, dependent } of collections) {
          const stays = policy === 'Orphan';
          equal(owner === undefined, true, `delete-collection with propagation ${policy}: the object goes`);
          const isAsSaid = stays ? there(dependent) : dependent === undefined;
          const fate = stays ? 'stays' : 'goes';
          equal(isAsSaid, true, `delete-collection with propagation ${policy}: its dependent ${fate}`);
        }
      },
    },
  }),
];
