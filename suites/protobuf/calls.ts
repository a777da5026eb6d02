// Every operation in protobuf: the response, the accepted body, and the effect of the call.
import { apiVersionOf } from '../../matrix/api/index.js';
import { isProtobuf, wireType } from '../client/decoders.js';
import { equal, fail, holds, oneOf, status, statusObject, success } from '../client/expect.js';
import { at, isObject, itemsOf, type JsonObject } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import { openEnvelope } from '../client/protobuf/envelope.js';
import type { Reply } from '../client/reply.js';
import { mismatchOf } from '../objects/callParts.js';
import { sameObject } from '../objects/sameness.js';
import type { CreatedObject } from '../objects/sandbox.js';
import { leaving, sendValid, validCall, versionsOf } from '../objects/validCalls.js';
import { sendBody } from '../objects/writes.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { sendProtobuf } from './sending.js';

/** Sends a valid call with body and response in protobuf; a patch keeps its own type. */
async function call({ operation }: OperationSubject, { client, sandbox }: Context) {
  const valid = await validCall(operation, sandbox);
  const accept = wireType('protobuf', client.target);
  const mediaType = operation.body === 'patch' ? 'json' : 'protobuf';
  const type = valid.body === undefined ? {} : { 'content-type': valid.contentType ?? accept };
  return { valid, reply: await sendValid(client, valid, mediaType, { accept, ...type }) };
}

async function effective(subject: OperationSubject, context: Context) {
  const { valid, reply } = await call(subject, context);
  return { reply, lack: reply.status > 299 ? undefined : await mismatchOf(valid, context.sandbox) };
}

/** Options with which a delete deletes nothing, where the server knows them. */
const vainOptions: Readonly<Record<string, JsonObject>> = {
  'another uid': { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } },
  'an old resourceVersion': { preconditions: { resourceVersion: '1' } },
  'an unknown propagationPolicy': { propagationPolicy: 'Sideways' },
  'two propagations': { propagationPolicy: 'Orphan', orphanDependents: true },
  'a dryRun': { dryRun: ['All'] },
  'an unknown dryRun': { dryRun: ['Some'] },
};

/** Deletes an object in vain with each of the options, then with a precondition that holds. */
async function deleteTwice(
  mediaType: 'json' | 'protobuf',
  { operation }: OperationSubject,
  { client, sandbox }: Context,
) {
  const make = () => sandbox.make(resourceOf(operation));
  const remove = ({ namespace, name }: CreatedObject, options: JsonObject): Promise<Reply> => {
    const path = fill(operation.path, namespace, name);
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
    return mediaType === 'protobuf'
      ? sendProtobuf(client, 'DELETE', path, body)
      : sendBody(sandbox, 'DELETE', path, body);
  };
  let made = await make();
  const vain = [];
  for (const [what, options] of Object.entries(vainOptions)) {
    const reply = await remove(made, options);
    const kept = !leaving(await sandbox.current(made));
    vain.push({ what, reply, kept });
    // Servers that are older than an option delete.
    if (!kept) made = await make();
  }
  const uid = String(at(made.object, 'metadata', 'uid'));
  const reply = await remove(made, { preconditions: { uid }, propagationPolicy: 'Background' });
  return { vain, reply, gone: leaving(await sandbox.current(made)) };
}

/** Decodes the response. Throws Failure unless it is protobuf. */
function decoded(reply: Reply, type: string): unknown {
  equal(reply.mediaType, type, `${reply.request}: Content-Type`);
  return wellFormed(reply, () => reply.value());
}

function wellFormed<T>(reply: Reply, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return fail(`${reply.request}: the body is malformed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function done({ reply, lack }: Recorded<typeof effective>): void {
  success(reply);
  if (lack !== undefined) fail(lack);
}

export const callGroups = [
  group({
    subjects: 'protobufCalls',
    setup: call,
    checks: {
      envelope: ({ reply, valid }, { operation }) => {
        success(reply);
        const { apiVersion, kind } = wellFormed(reply, () => openEnvelope(reply.bytes));
        oneOf(kind, valid.kinds, `${reply.request}: kind in the envelope`);
        const versions = versionsOf(kind, apiVersionOf(operation.groupVersion));
        oneOf(apiVersion || undefined, versions, `${reply.request}: apiVersion in the envelope`);
        if (!isObject(decoded(reply, reply.mediaType))) fail(`${reply.request}: the envelope holds no object`);
      },
    },
  }),
  group({
    subjects: 'protobufOptions',
    setup: async (subject, context) =>
      subject.operation.verb === 'delete'
        ? {
            inJson: await deleteTwice('json', subject, context),
            deleted: await deleteTwice('protobuf', subject, context),
          }
        : { sent: await effective(subject, context) },
    checks: {
      'subresource-bodies': ({ deleted, inJson, sent }) => {
        if (sent !== undefined) return done(sent);
        if (deleted === undefined) return;
        const { vain, reply, gone } = deleted;
        for (const [index, { what, reply, kept }] of vain.entries()) {
          const same = inJson.vain[index];
          equal(reply.status, same?.reply.status ?? 0, `${reply.request} with ${what}, as in JSON: the status`);
          equal(kept, same?.kept ?? true, `${reply.request} with ${what}, as in JSON: the object is still there`);
        }
        success(reply);
        equal(gone, true, `${reply.request} with its uid: the object is gone`);
      },
    },
  }),
  group({
    subjects: 'protobufDiscoveries',
    setup: async ({ operation }, { client }) => {
      const get = (accept: string) => client.send({ method: 'GET', path: operation.path, headers: { accept } });
      return { reply: await get(wireType('protobuf', client.target)), json: await get('application/json') };
    },
    checks: {
      discovery: ({ reply, json }) => {
        success(reply);
        if (!isProtobuf(reply.mediaType)) fail(`${reply.request}: Content-Type is ${reply.mediaType}`);
        const listed = (body: unknown): string =>
          itemsOf({ items: at(body, 'resources') })
            .map(({ name, kind, namespaced, verbs }) => JSON.stringify({ name, kind, namespaced, verbs }))
            .join();
        const list = decoded(reply, reply.mediaType);
        equal(at(list, 'kind'), 'APIResourceList', `${reply.request}: kind`);
        equal(listed(list), listed(json.value()), `${reply.request}: the resources`);
      },
    },
  }),
  group({
    subjects: 'protobufPatches',
    setup: async ({ operation }, { client, sandbox }) => {
      const { path, method } = await validCall(operation, sandbox);
      const body = { apiVersion: 'v1', kind: 'DeleteOptions' };
      return { reply: await sendProtobuf(client, method, path, body) };
    },
    checks: { 'patch-refused': ({ reply }) => status(reply, 415) },
  }),
  group({
    subjects: 'absentInProtobuf',
    setup: async ({ operation }, { client, sandbox }) => {
      const namespace = operation.resource?.namespaced ? await sandbox.namespace() : undefined;
      const path = fill(operation.path, namespace, sandbox.name());
      const get = (accept: string) => client.send({ method: 'GET', path, headers: { accept } });
      return { reply: await get(wireType('protobuf', client.target)), json: await get('application/json') };
    },
    checks: {
      errors: ({ reply, json }) => {
        status(reply, 404);
        if (!isProtobuf(reply.mediaType)) fail(`${reply.request}: Content-Type is ${reply.mediaType || 'absent'}`);
        const found = decoded(reply, reply.mediaType);
        holds(found, { apiVersion: 'v1', kind: 'Status', metadata: {} }, `${reply.request}: Status`);
        statusObject(reply, 'NotFound');
        sameObject(found, json.value(), reply.request);
      },
    },
  }),
  group({
    subjects: 'acceptedTypes',
    setup: async ({ operation, variant }, { client, sandbox }) => {
      const protobuf = wireType('protobuf', client.target);
      const forms: Readonly<Record<string, readonly [accept: string, expected: string]>> = {
        'protobuf before JSON': [`${protobuf},application/json`, protobuf],
        'JSON before protobuf': [`application/json, ${protobuf}`, 'application/json'],
        'q-values': [`application/json;q=0.2, ${protobuf};q=0.9, application/yaml;q=0.5`, protobuf],
        'an unknown type first': [`image/png, ${protobuf}`, protobuf],
      };
      const [accept, expected] = forms[variant ?? ''] ?? fail(`no Accept for ${variant}`);
      const path = fill(operation.path, await sandbox.listed());
      return { reply: await client.send({ method: 'GET', path, headers: { accept } }), accept, expected };
    },
    checks: {
      'best-type': ({ reply, accept, expected }) => {
        status(reply, 200);
        equal(reply.mediaType, expected, `${reply.request}, Accept ${accept}: Content-Type`);
      },
    },
  }),
  group({
    subjects: 'undefinedForms',
    setup: async ({ operation }, { client, sandbox }) => {
      const accept = `${wireType('protobuf', client.target)};as=Table;v=v1;g=meta.k8s.io`;
      const path = fill(operation.path, await sandbox.listed());
      return { reply: await client.send({ method: 'GET', path, headers: { accept } }) };
    },
    checks: {
      'without-definition': ({ reply }) => {
        // A server that does not know Table ignores the parameters.
        if (reply.status < 300 && isProtobuf(reply.mediaType)) return;
        status(reply, 406);
      },
    },
  }),
];
