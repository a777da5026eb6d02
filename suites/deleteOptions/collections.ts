// Options of a delete-collection, which are obeyed or refused like those of a delete.

import type { OperationSubject } from '../../matrix/requirements/index.js';
import { clientError, equal, fail, holds, status, statusObject, success } from '../support/http/expect.js';
import { at, itemsOf } from '../support/http/json.js';
import { fill, resourceOf } from '../support/http/paths.js';
import { leaving } from '../support/objects/validCalls.js';
import type { Recorded } from '../support/run/group.js';
import type { Context } from '../support/run/worker.js';
import { type Deletion, group, optionsOf, sendDelete, stays } from './calls.js';
import { otherUid, type Refusal, refused, unknownPropagation } from './refused.js';

const dryRuns: readonly Deletion[] = [{ options: optionsOf({ dryRun: ['All'] }) }, { query: '?dryRun=All' }];

const malformed: readonly Deletion[] = [
  { body: '{"kind":"DeleteOptions","apiVersion":"v1"' },
  { body: '[]' },
  { options: { kind: 'Binding', apiVersion: 'v1' } },
];

export const setups = {
  collectionOptions: async ({ operation }: OperationSubject, { client, sandbox }: Context) => {
    const resource = resourceOf(operation);
    await sandbox.selectorsAreRespected(resource);
    const make = async () => {
      const name = sandbox.name();
      return { name, made: await sandbox.make(resource, { labels: { [group]: name } }) };
    };
    let object: Awaited<ReturnType<typeof make>> | undefined;
    const attempt = async (deletion: Deletion): Promise<Refusal> => {
      object ??= await make();
      const { name, made } = object;
      const selector = `?labelSelector=${encodeURIComponent(`${group}=${name}`)}`;
      const query = selector + (deletion.query ?? '').replace('?', '&');
      const reply = await sendDelete(client, fill(operation.path, made.namespace), { ...deletion, query });
      const after = await sandbox.current(made);
      if (!stays(made, after)) object = undefined;
      return { reply, made, after };
    };
    const attempts = async (deletions: readonly Deletion[]): Promise<Refusal[]> => {
      const refusals = [];
      for (const deletion of deletions) refusals.push(await attempt(deletion));
      return refusals;
    };
    return {
      listKind: `${resource.kind}List`,
      dry: await attempts(dryRuns),
      malformed: await attempts(malformed),
      propagation: await attempts(unknownPropagation),
      uid: await attempts([otherUid]),
      accepted: await attempt({ options: optionsOf() }),
    };
  },
};

type Options = Recorded<typeof setups.collectionOptions>;

export const checks = {
  'collection-options': ({ accepted: { reply, after } }: Options) => {
    success(reply);
    equal(leaving(after), true, `${reply.request} with options, then read: gone or on its way out`);
  },
  'collection-dry-run': ({ dry }: Options) => {
    for (const { reply, made, after } of dry) {
      if (reply.status >= 300) clientError(reply);
      if (!stays(made, after)) fail(`${reply.request} with dryRun, then read: the object is gone or being deleted`);
    }
  },
  'collection-malformed': ({ malformed }: Options) => refused(malformed, clientError),
  'collection-propagation': ({ propagation }: Options) => refused(propagation, (reply) => status(reply, 422)),
  'collection-precondition': ({ uid }: Options) =>
    refused(uid, (reply) => {
      status(reply, 409);
      statusObject(reply, 'Conflict');
    }),
  'answer-list': ({ accepted: { reply, made }, listKind }: Options) => {
    success(reply);
    const body = reply.value();
    if (at(body, 'kind') === 'Status') return holds(body, { status: 'Success' }, `${reply.request}: the answer`);
    holds(body, { kind: listKind }, `${reply.request}: the answer`);
    const names = itemsOf(body).map((item) => String(at(item, 'metadata', 'name')));
    equal(names.join(' '), made.name, `${reply.request}: names in the list that it answers`);
  },
};
