// Options of a delete and its response: preconditions, dry runs, and the reuse of the name.

import { apiVersionOf } from '../../matrix/api/index.js';
import { clientError, equal, fail, holds, oneOf, success } from '../client/expect.js';
import { at, isObject, type JsonObject } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { conflicts } from '../objects/sandbox.js';
import { leaving } from '../objects/validCalls.js';
import { group } from '../run/group.js';
import { bodyFor, type Deletion, inYaml, makeWithoutFinalizers, optionsOf, remove, stays } from './calls.js';
import { isGone } from './ownership.js';

const json = { 'content-type': 'application/json' };

function acceptedForm(variant: string | undefined, ownVersion: string): Deletion {
  switch (variant) {
    case 'v1':
      return { options: optionsOf({ orphanDependents: false }) };
    case "the group's own version":
      return { options: { ...optionsOf({ orphanDependents: false }), apiVersion: ownVersion } };
    case 'YAML':
      return inYaml(optionsOf({ orphanDependents: false }));
    default:
      return fail(`no options for ${variant}`);
  }
}

const dryRuns: Readonly<Record<string, Deletion>> = {
  'in the options': { options: optionsOf({ dryRun: ['All'] }) },
  'in the query': { query: '?dryRun=All' },
  'in the query beside options': { query: '?dryRun=All', options: optionsOf() },
};

const goes = ({ reply, after }: { readonly reply: Reply; readonly after: JsonObject | undefined }): void => {
  success(reply);
  equal(leaving(after), true, `${reply.request}, then read: gone or on its way out`);
};

export const optionGroups = [
  group({
    subjects: 'acceptedDeleteOptions',
    setup: async ({ operation, variant }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const made = await sandbox.make(resource);
      const form = acceptedForm(variant, apiVersionOf(resource.groupVersion));
      return { reply: await remove(client, operation, made, form), after: await sandbox.current(made) };
    },
    checks: { options: goes },
  }),
  group({
    subjects: 'emptyDeleteOptions',
    setup: async ({ operation }, { client, sandbox }) => {
      const deleted = async (options: JsonObject) => {
        const made = await sandbox.make(resourceOf(operation));
        return { reply: await remove(client, operation, made, { options }), after: await sandbox.current(made) };
      };
      // kubectl sends options without a kind.
      const empty = { gracePeriodSeconds: null, preconditions: {}, dryRun: [] };
      return await Promise.all([
        deleted({}),
        deleted({ propagationPolicy: 'Background' }),
        deleted(optionsOf(empty)),
        deleted(optionsOf({ unknown: 'field' })),
      ]);
    },
    checks: { 'options-empty': (deletes) => deletes.forEach(goes) },
  }),
  group({
    subjects: 'metPreconditions',
    setup: async ({ operation }, { client, sandbox }) => {
      const made = await sandbox.make(resourceOf(operation));
      const attempt = async (): Promise<Reply> => {
        const now = (await sandbox.current(made)) ?? made.object;
        const [uid, resourceVersion] = [at(now, 'metadata', 'uid'), at(now, 'metadata', 'resourceVersion')];
        return remove(client, operation, made, { options: optionsOf({ preconditions: { uid, resourceVersion } }) });
      };
      let reply = await attempt();
      // A controller wrote in between, so the precondition did not hold.
      for (let again = 1; reply.status === 409 && again < conflicts; again += 1) reply = await attempt();
      return { reply, after: await sandbox.current(made) };
    },
    checks: { 'precondition-met': goes },
  }),
  group({
    subjects: 'dryDeletes',
    setup: async ({ operation, variant }, { client, sandbox }) => {
      const made = await sandbox.make(resourceOf(operation));
      const reply = await remove(client, operation, made, dryRuns[variant ?? ''] ?? fail(`no dry run ${variant}`));
      return { reply, made, after: await sandbox.current(made) };
    },
    checks: {
      'dry-run': ({ reply, made, after }) => {
        if (reply.status >= 300) clientError(reply);
        if (!stays(made, after)) fail(`${reply.request} with dryRun, then read: the object is gone or being deleted`);
      },
    },
  }),
  group({
    subjects: 'doneDeletes',
    setup: async ({ operation }, { client, sandbox }) => {
      const made = await makeWithoutFinalizers(sandbox, resourceOf(operation));
      const reply = await remove(client, operation, made, bodyFor(operation, optionsOf({ orphanDependents: false })));
      return { reply, made };
    },
    checks: {
      'answer-status': ({ reply, made }) => {
        success(reply);
        // Real servers return the deleted object for some kinds, and in other versions for other kinds.
        if (at(reply.value(), 'kind') === made.resource.kind) {
          const { name, uid } = { name: made.name, uid: at(made.object, 'metadata', 'uid') ?? null };
          return holds(reply.value(), { metadata: { name, uid } }, `${reply.request}: the answer`);
        }
        holds(reply.value(), { kind: 'Status', status: 'Success' }, `${reply.request}: the answer`);
        const details = at(reply.value(), 'details');
        if (!isObject(details)) return;
        equal(details.name, made.name, `${reply.request}: details.name`);
        oneOf(details.uid, [undefined, at(made.object, 'metadata', 'uid')], `${reply.request}: details.uid`);
      },
    },
  }),
  group({
    subjects: 'recreated',
    setup: async ({ operation }, context) => {
      const { client, sandbox } = context;
      const resource = resourceOf(operation);
      const made = await makeWithoutFinalizers(sandbox, resource);
      const options = optionsOf({ gracePeriodSeconds: 0, orphanDependents: false });
      await remove(client, operation, made, bodyFor(operation, options));
      await isGone(context, made);
      const path = pathTo(resource, 'create', made.namespace);
      return {
        made,
        again: await client.send({ method: 'POST', path, headers: json, body: JSON.stringify(made.sent) }),
      };
    },
    checks: {
      'name-free': ({ made, again }) => {
        success(again);
        if (at(again.value(), 'metadata', 'uid') === at(made.object, 'metadata', 'uid'))
          fail(`${again.request} of a deleted name: the uid is the one of the deleted object`);
      },
    },
  }),
];
