// Options of a delete-collection, which are obeyed or refused like those of a delete.

import { clientError, equal, holds, status, success } from '../client/expect.js';
import { at, namesIn } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import { makerAtRest, observeVains } from '../objects/effects/index.js';
import { groupLabel } from '../objects/sandbox.js';
import { leaving } from '../objects/validCalls.js';
import { group } from '../run/group.js';
import { type Deletion, optionsOf, sendDelete } from './calls.js';
import {
  conflict,
  deletesRefused,
  otherUid,
  otherUidInYaml,
  otherVersion,
  sendsOf,
  unknownPropagation,
} from './refused.js';

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
      const made = async () => {
        const label = sandbox.name();
        const object = await sandbox.make(resource, { labels: { [groupLabel]: label } });
        const selector = `?labelSelector=${encodeURIComponent(`${groupLabel}=${label}`)}`;
        const send = (deletion: Deletion) => {
          const query = selector + (deletion.query ?? '').replace('?', '&');
          return sendDelete(client, fill(operation.path, object.namespace), { ...deletion, query });
        };
        return { ...object, send };
      };
      const make = makerAtRest(sandbox, made);
      const refused = await observeVains(sandbox, async () => {
        const object = await make();
        const [uid, version] = [[otherUid, otherUidInYaml], [otherVersion]];
        const kinds = { dry: dryRuns, malformed, propagation: unknownPropagation, uid, version };
        return { written: object, sends: sendsOf(kinds, object.send) };
      });
      const last = await made();
      const reply = await last.send({ options: optionsOf() });
      const accepted = { reply, made: last, after: await sandbox.current(last) };
      return { listKind: `${resource.kind}List`, refused, accepted };
    },
    checks: {
      'collection-options': ({ accepted: { reply, after } }) => {
        success(reply);
        equal(leaving(after), true, `${reply.request} with options, then read: gone or on its way out`);
      },
      'collection-dry-run': ({ refused }) =>
        deletesRefused(refused, 'dry', (reply) => reply.status < 300 || clientError(reply)),
      'collection-malformed': ({ refused }) => deletesRefused(refused, 'malformed', clientError),
      'collection-propagation': ({ refused }) => deletesRefused(refused, 'propagation', (reply) => status(reply, 422)),
      'collection-precondition': ({ refused }) => deletesRefused(refused, 'uid', conflict),
      'collection-precondition-version': ({ refused }) => deletesRefused(refused, 'version', conflict),
      'answer-list': ({ accepted: { reply, made }, listKind }) => {
        success(reply);
        const body = reply.value();
        if (at(body, 'kind') === 'Status') return holds(body, { status: 'Success' }, `${reply.request}: the answer`);
        holds(body, { kind: listKind }, `${reply.request}: the answer`);
        const names = namesIn(body);
        equal(names.join(' '), made.name, `${reply.request}: names in the list that it answers`);
      },
    },
  }),
];
