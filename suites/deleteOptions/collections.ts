// Options of a delete-collection: obeyed or refused as those of a delete are.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { clientError, equal, fail, holds, status, statusObject, success } from '../support/expect.js';
import { at, itemsOf } from '../support/json.js';
import { fill } from '../support/scope.js';
import { leaving } from '../support/validCalls.js';
import type { Context } from '../support/worker.js';
import { type Deletion, group, optionsOf, type RecordOf, resourceOf, sendDelete, stays } from './calls.js';
import { otherUid, type Refusal, refused, unknownPropagation } from './refused.js';

const dryRuns: readonly Deletion[] = [{ options: optionsOf({ dryRun: ['All'] }) }, { query: '?dryRun=All' }];

const malformed: readonly Deletion[] = [
  { body: '{"kind":"DeleteOptions","apiVersion":"v1"' },
  { body: '[]' },
  { options: { kind: 'Binding', apiVersion: 'v1' } },
];

export const performers = {
  collectionOptions: async ({ operation }: OperationSubject, { client, scope }: Context) => {
    const resource = resourceOf(operation);
    await scope.selectorsAreRespected(resource);
    const make = async () => {
      const name = scope.name();
      return { name, made: await scope.make(resource, { labels: { [group]: name } }) };
    };
    let object: Awaited<ReturnType<typeof make>> | undefined;
    const attempt = async (deletion: Deletion): Promise<Refusal> => {
      object ??= await make();
      const { name, made } = object;
      const selector = `?labelSelector=${encodeURIComponent(`${group}=${name}`)}`;
      const query = selector + (deletion.query ?? '').replace('?', '&');
      const reply = await sendDelete(client, fill(operation.path, made.namespace), { ...deletion, query });
      const after = await scope.current(made);
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

type Options = RecordOf<typeof performers.collectionOptions>;

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
