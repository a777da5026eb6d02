// What a delete is told and what it answers: options, preconditions, dry runs, and the name that is free again.
import { apiVersionOf } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { encode } from '../support/decoders.js';
import { inTime } from '../support/eventually.js';
import { clientError, equal, fail, holds, oneOf, success } from '../support/expect.js';
import { at, isObject, type JsonObject } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import { conflicts, pathTo } from '../support/scope.js';
import { leaving } from '../support/validCalls.js';
import type { Context } from '../support/worker.js';
import { bodyFor, type Deletion, makeLoose, optionsOf, type RecordOf, remove, resourceOf, stays } from './calls.js';

const json = { 'content-type': 'application/json' };

function acceptedForm(variant: string | undefined, ownVersion: string): Deletion {
  switch (variant) {
    case 'v1':
      return { options: optionsOf({ orphanDependents: false }) };
    case "the group's own version":
      return { options: { ...optionsOf({ orphanDependents: false }), apiVersion: ownVersion } };
    case 'YAML':
      return { body: String(encode('yaml', optionsOf({ orphanDependents: false }))), type: 'application/yaml' };
    default:
      return fail(`no options for ${variant}`);
  }
}

const dryRuns: Readonly<Record<string, Deletion>> = {
  'in the options': { options: optionsOf({ dryRun: ['All'] }) },
  'in the query': { query: '?dryRun=All' },
  'in the query beside options': { query: '?dryRun=All', options: optionsOf() },
};

export const performers = {
  acceptedDeleteOptions: async ({ operation, variant }: OperationSubject, { client, scope }: Context) => {
    const resource = resourceOf(operation);
    const made = await scope.make(resource);
    const form = acceptedForm(variant, apiVersionOf(resource.groupVersion));
    return { reply: await remove(client, operation, made, form), after: await scope.current(made) };
  },
  emptyDeleteOptions: async ({ operation }: OperationSubject, { client, scope }: Context) => {
    const made = await scope.make(resourceOf(operation));
    return { reply: await remove(client, operation, made, { options: {} }), after: await scope.current(made) };
  },
  metPreconditions: async ({ operation }: OperationSubject, { client, scope }: Context) => {
    const made = await scope.make(resourceOf(operation));
    const attempt = async (): Promise<Reply> => {
      const now = (await scope.current(made)) ?? made.object;
      const [uid, resourceVersion] = [at(now, 'metadata', 'uid'), at(now, 'metadata', 'resourceVersion')];
      return remove(client, operation, made, { options: optionsOf({ preconditions: { uid, resourceVersion } }) });
    };
    let reply = await attempt();
    // A controller wrote in between: the precondition did not hold.
    for (let again = 1; reply.status === 409 && again < conflicts; again += 1) reply = await attempt();
    return { reply, after: await scope.current(made) };
  },
  dryDeletes: async ({ operation, variant }: OperationSubject, { client, scope }: Context) => {
    const made = await scope.make(resourceOf(operation));
    const reply = await remove(client, operation, made, dryRuns[variant ?? ''] ?? fail(`no dry run ${variant}`));
    return { reply, made, after: await scope.current(made) };
  },
  doneDeletes: async ({ operation }: OperationSubject, { client, scope }: Context) => {
    const made = await makeLoose(scope, resourceOf(operation));
    const reply = await remove(client, operation, made, bodyFor(operation, optionsOf({ orphanDependents: false })));
    return { reply, made };
  },
  recreated: async ({ operation }: OperationSubject, context: Context) => {
    const { client, scope } = context;
    const resource = resourceOf(operation);
    const made = await makeLoose(scope, resource);
    const options = optionsOf({ gracePeriodSeconds: 0, orphanDependents: false });
    await remove(client, operation, made, bodyFor(operation, options));
    await inTime(context, async () => ((await scope.current(made)) === undefined ? true : undefined));
    const path = pathTo(resource, 'create', made.namespace);
    return { made, again: await client.send({ method: 'POST', path, headers: json, body: JSON.stringify(made.sent) }) };
  },
};

const goes = ({ reply, after }: { readonly reply: Reply; readonly after: JsonObject | undefined }): void => {
  success(reply);
  equal(leaving(after), true, `${reply.request}, then read: gone or on its way out`);
};

export const checks = {
  options: goes,
  'options-empty': goes,
  'precondition-met': goes,
  'dry-run': ({ reply, made, after }: RecordOf<typeof performers.dryDeletes>) => {
    if (reply.status >= 300) clientError(reply);
    if (!stays(made, after)) fail(`${reply.request} with dryRun, then read: the object is gone or being deleted`);
  },
  'answer-status': ({ reply, made }: RecordOf<typeof performers.doneDeletes>) => {
    success(reply);
    // Real servers answer some kinds with the object that is gone, other kinds in other versions.
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
  'name-free': ({ made, again }: RecordOf<typeof performers.recreated>) => {
    success(again);
    if (at(again.value(), 'metadata', 'uid') === at(made.object, 'metadata', 'uid'))
      fail(`${again.request} of a deleted name: the uid is the one of the deleted object`);
  },
};
