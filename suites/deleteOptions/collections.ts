// Options of a delete-collection, which are obeyed or refused like those of a delete.

import { clientError, equal, fail, holds, status, statusObject, success } from '../client/expect.js';
import { at, itemsOf } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import { groupLabel } from '../objects/sandbox.js';
import { leaving } from '../objects/validCalls.js';
import { group } from '../run/group.js';
import { type Deletion, optionsOf, sendDelete, stays } from './calls.js';
import { deletesRefused, otherUid, type Refusal, unknownPropagation } from './refused.js';

const dryRuns: readonly Deletion[] = [{ options: optionsOf({ dryRun: ['All'] }) }, { query: '?dryRun=All' }];

const malformed: readonly Deletion[] = [
  { body: '{"kind":"DeleteOptions","apiVersion":"v1"' },
  { body: '[]' },
  { options: { kind: 'Binding', apiVersion: 'v1' } },
];

export const collectionGroups = [
  group({
    subjects: 'collectionOptions',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      await sandbox.selectorsAreRespected(resource);
      const make = async () => {
        const name = sandbox.name();
        return { name, made: await sandbox.make(resource, { labels: { [groupLabel]: name } }) };
      };
      let object: Awaited<ReturnType<typeof make>> | undefined;
      const attempt = async (deletion: Deletion): Promise<Refusal> => {
        object ??= await make();
        const { name, made } = object;
        const selector = `?labelSelector=${encodeURIComponent(`${groupLabel}=${name}`)}`;
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
    checks: {
      'collection-options': ({ accepted: { reply, after } }) => {
        success(reply);
        equal(leaving(after), true, `${reply.request} with options, then read: gone or on its way out`);
      },
      'collection-dry-run': ({ dry }) => {
        for (const { reply, made, after } of dry) {
          if (reply.status >= 300) clientError(reply);
          if (!stays(made, after)) fail(`${reply.request} with dryRun, then read: the object is gone or being deleted`);
        }
      },
      'collection-malformed': ({ malformed }) => deletesRefused(malformed, clientError),
      'collection-propagation': ({ propagation }) => deletesRefused(propagation, (reply) => status(reply, 422)),
      'collection-precondition': ({ uid }) =>
        deletesRefused(uid, (reply) => {
          status(reply, 409);
          statusObject(reply, 'Conflict');
        }),
      'answer-list': ({ accepted: { reply, made }, listKind }) => {
        success(reply);
        const body = reply.value();
        if (at(body, 'kind') === 'Status') return holds(body, { status: 'Success' }, `${reply.request}: the answer`);
        holds(body, { kind: listKind }, `${reply.request}: the answer`);
        const names = itemsOf(body).map((item) => String(at(item, 'metadata', 'name')));
        equal(names.join(' '), made.name, `${reply.request}: names in the list that it answers`);
      },
    },
  }),
];
