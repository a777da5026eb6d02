// Errors: the response to a refused request, and that the request had no effect.

import type { Call } from '../client/calls.js';
import { clientError, equal, fail, holds, nonEmptyString, oneOf, status, statusObject } from '../client/expect.js';
import { at, type JsonObject, merge } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { hostile, malformed, wrongKind } from '../objects/badBodies.js';
import { mismatchNow } from '../objects/callParts.js';
import { harmlessCall } from '../objects/harmless.js';
import { changedNothing, isRefused, namesObject, sendRefused } from '../objects/refused.js';
import { configMaps } from '../objects/related.js';
import type { Sandbox } from '../objects/sandbox.js';
import { isValid } from '../objects/schemas/validate.js';
import { objectsNamed, validCall } from '../objects/validCalls.js';
import type { OperationSubject } from '../requirements/index.js';
import { refusalOf, rejectedForAnonymous, unauthorized } from '../run/acceptance.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import { sendNoBody, sendNoPatch, sendRefusedBody, wroteNothing } from './refusedBodies.js';

const json = { 'content-type': 'application/json' };
const invalidName = 'Not a_name/%';

/** Returns the path of a create, a valid body for it, and its name. */
async function target({ operation }: OperationSubject, sandbox: Sandbox) {
  const resource = resourceOf(operation);
  const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
  const name = sandbox.name(resource);
  const made = async (): Promise<number> => objectsNamed(await sandbox.list(resource, namespace), name).length;
  return { path: fill(operation.path, namespace, name), name, body: sandbox.body(resource, name, namespace), made };
}

/** Returns a valid call with one error in it. */
async function spoiled(subject: OperationSubject, sandbox: Sandbox, change: (call: Call) => Call): Promise<Call> {
  const { method, path, body, contentType } = await validCall(subject.operation, sandbox);
  return change({
    method,
    path,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': contentType ?? 'application/json' } }),
  });
}

defineChapter('errors', [
  group({
    subjects: 'malformedBodies',
    setup: async (subject, { client, sandbox }) => {
      const { path, body, made } = await target(subject, sandbox);
      const { mediaType, text } = malformed(subject.variant ?? '', body);
      const reply = await client.send({ method: 'POST', path, headers: { 'content-type': mediaType }, body: text });
      return { reply, made: await made() };
    },
    checks: {
      'malformed-body': ({ reply, made }) => {
        status(reply, 400);
        statusObject(reply, 'BadRequest');
        equal(made, 0, `${reply.request}: objects that were made`);
      },
    },
  }),
  group({
    subjects: 'wrongKinds',
    setup: async (subject, { client, sandbox }) => {
      const { path, body, made } = await target(subject, sandbox);
      const wrong = wrongKind(subject.variant ?? '', body);
      const reply = await client.send({ method: 'POST', path, headers: json, body: JSON.stringify(wrong) });
      return { reply, made: await made() };
    },
    checks: {
      'wrong-kind': ({ reply, made }, { operation }) => {
        // A server of custom resources reads a body of any kind of the group, and validates it then.
        if (operation.resource?.found && reply.status === 422) statusObject(reply, 'Invalid');
        else {
          status(reply, 400);
          statusObject(reply, 'BadRequest');
        }
        equal(made, 0, `${reply.request}: objects that were made`);
      },
    },
  }),
  group({
    subjects: 'missingBodies',
    setup: (subject, context) => sendNoBody(subject, context),
    checks: {
      'missing-body': (refused) => {
        clientError(refused.reply);
        changedNothing(refused);
      },
    },
  }),
  group({
    subjects: 'missingPatches',
    setup: (subject, context) => sendNoPatch(subject, context),
    checks: {
      'missing-patch': (refused) => {
        isRefused(refused.reply);
        changedNothing(refused);
      },
      'missing-patch-client-error': ({ reply }) => clientError(reply),
    },
  }),
  group({
    subjects: 'refusedBodies',
    setup: (subject, context) => sendRefusedBody(subject, context),
    checks: { 'refused-changes-nothing': (refused) => wroteNothing(refused) },
  }),
  group({
    subjects: 'unknownMediaTypes',
    setup: async (subject, { client, sandbox }) => ({
      reply: await client.send(
        await spoiled(subject, sandbox, (call) => ({ ...call, headers: { 'content-type': 'text/plain' } })),
      ),
    }),
    checks: { 'unsupported-media-type': ({ reply }) => refusedWith(reply, 415, 'UnsupportedMediaType') },
  }),
  group({
    subjects: 'unknownPatchTypes',
    setup: async ({ operation }, { client, sandbox }) => {
      const valid = await validCall(operation, sandbox);
      const { method, path, body } = valid;
      const reply = await client.send({ method, path, headers: json, body: JSON.stringify(body) });
      return { reply, changed: (await mismatchNow(valid)) === undefined };
    },
    checks: {
      'unsupported-patch-type': ({ reply, changed }) => {
        clientError(reply);
        equal(changed, false, `${reply.request}, then read: the change is there`);
      },
      'unsupported-patch-type-answer': ({ reply }) => {
        status(reply, 415);
        const reason = at(reply.tryValue(), 'reason');
        oneOf(reason, [undefined, 'UnsupportedMediaType'], `${reply.request}: reason of the Status`);
      },
    },
  }),
  group({
    subjects: 'unacceptableTypes',
    setup: async (subject, { client, sandbox }) => ({
      reply: await client.send(
        await spoiled(subject, sandbox, (call) => ({ ...call, headers: { ...call.headers, accept: 'image/png' } })),
      ),
    }),
    checks: { 'not-acceptable': ({ reply }) => status(reply, 406) },
  }),
  group({
    subjects: 'invalidNames',
    setup: async (subject, { client, sandbox }) => {
      const { path, body } = await target(subject, sandbox);
      const { name: _, ...nameless } = Object(body.metadata) as JsonObject;
      const sent: JsonObject =
        subject.variant === 'no name'
          ? { ...body, metadata: nameless }
          : merge(body, { metadata: { name: invalidName } });
      return { reply: await client.send({ method: 'POST', path, headers: json, body: JSON.stringify(sent) }) };
    },
    checks: {
      'invalid-name': ({ reply }, { operation, variant }) => {
        refusedWith(reply, 422, 'Invalid');
        if (variant !== 'no name') namesObject(reply, resourceOf(operation), invalidName);
        const causes = at(reply.value(), 'details', 'causes');
        const fields = Array.isArray(causes) ? causes.map((cause) => at(cause, 'field')) : [];
        oneOf('metadata.name', fields, `${reply.request}: metadata.name among the fields of the causes`);
      },
      'status-schema': ({ reply }) => {
        if (reply.status < 400) return;
        const body = reply.value();
        holds(body, { kind: 'Status', apiVersion: 'v1' }, `${reply.request}: the body`);
        isValid(body, `${reply.request}: the body`);
        nonEmptyString(at(body, 'message'), `${reply.request}: message of the Status`);
      },
    },
  }),
  group({
    subjects: 'methodsNotAllowed',
    setup: async ({ variant }, { client, sandbox }) => {
      const namespace = await sandbox.namespace();
      const collection = pathTo(configMaps, 'list', namespace);
      const calls: Readonly<Record<string, readonly [method: string, path: string]>> = {
        'PUT collection': ['PUT', collection],
        'PATCH collection': ['PATCH', collection],
        'POST object': ['POST', `${collection}/some-name`],
        'POST all namespaces': ['POST', '/api/v1/configmaps'],
        'POST status': ['POST', `/api/v1/namespaces/${namespace}/pods/some-name/status`],
        'DELETE componentstatus': ['DELETE', '/api/v1/componentstatuses/some-name'],
      };
      const [method, path] = calls[variant ?? ''] ?? fail(`no call for ${variant}`);
      return { reply: await client.send({ method, path, headers: json, body: '{}' }) };
    },
    checks: { 'method-not-allowed': ({ reply }) => refusedWith(reply, 405, 'MethodNotAllowed') },
  }),
  group({
    subjects: 'unknownPaths',
    setup: async ({ variant }, { client }) => {
      const paths: Readonly<Record<string, string>> = {
        'an unknown resource': '/api/v1/namespaces/default/nosuchthings',
        'an unknown subresource': '/api/v1/namespaces/default/configmaps/some-name/nosuch',
        'an unknown group': '/apis/nosuch.example.com/v1/things',
        'an unknown version': '/apis/batch/v9/jobs',
        'a resource of another group': '/apis/batch/v1/namespaces/default/configmaps',
        'a plural in upper case': '/api/v1/namespaces/default/ConfigMaps',
        'a singular': '/api/v1/namespaces/default/configmap',
      };
      return {
        reply: await client.send({ method: 'GET', path: paths[variant ?? ''] ?? fail(`no path for ${variant}`) }),
      };
    },
    checks: { 'unknown-path': ({ reply }) => status(reply, 404) },
  }),
  group({
    subjects: 'unknownSubresources',
    setup: ({ variant = '' }, { client, sandbox }) =>
      sendRefused(sandbox, async () => {
        const object = await sandbox.make(configMaps);
        const [method = '', subresource] = variant.split(' ');
        const path = `${pathTo(configMaps, 'read', object.namespace, object.name)}/${subresource}`;
        const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
        const body = JSON.stringify(merge(object.object, { data: { changed: 'yes' } }));
        const sent = /^(GET|DELETE)$/.test(method) ? {} : { headers: { 'content-type': type }, body };
        return { object, send: () => client.send({ method, path, ...sent }) };
      }),
    checks: {
      'unknown-subresource': (refused, { variant }) => {
        if (variant?.startsWith('GET')) status(refused.reply, 404);
        else clientError(refused.reply);
        changedNothing(refused);
      },
    },
  }),
  group({
    subjects: 'unauthenticated',
    setup: async ({ operation, variant }, context) => {
      const { sandbox } = context;
      const as = variant === 'no credentials' ? ('none' as const) : { token: 'a-token-that-nobody-has' };
      // in a namespace of the run, because a server that accepts every user may ignore selectors too
      const namespace = operation.resource?.namespaced ? await sandbox.namespace() : '';
      return { reply: await refusalOf(context, harmlessCall(operation, sandbox, namespace), as) };
    },
    checks: {
      unauthenticated: ({ reply }) => rejectedForAnonymous(reply),
      'unauthenticated-status': ({ reply }) => unauthorized(reply),
      'unauthenticated-body': ({ reply }) => refusalBody(reply),
    },
  }),
  group({
    subjects: 'largeBodies',
    setup: async ({ variant }, { client, sandbox }) => {
      const namespace = await sandbox.namespace();
      const made = await sandbox.make(configMaps);
      const megabytes = variant?.startsWith('4') ? 4 : 2;
      const name = variant?.endsWith('replace') ? made.name : sandbox.name();
      const body = JSON.stringify({
        ...sandbox.body(configMaps, name, namespace),
        data: { large: 'x'.repeat(megabytes * 1024 * 1024) },
      });
      const put = name === made.name;
      const path = pathTo(configMaps, put ? 'replace' : 'create', namespace, name);
      const reply = await client.send({ method: put ? 'PUT' : 'POST', path, headers: json, body });
      return {
        reply,
        next: await client.send({ method: 'GET', path: pathTo(configMaps, 'read', namespace, made.name) }),
      };
    },
    checks: {
      'too-large': ({ reply, next }) => {
        clientError(reply);
        status(next, 200);
      },
    },
  }),
  group({
    subjects: 'hostileBodies',
    setup: async ({ variant }, { client, sandbox }) => {
      const namespace = await sandbox.namespace();
      const { mediaType, body } = hostile(variant ?? '', sandbox.name());
      const path = pathTo(configMaps, 'create', namespace);
      const reply = await client.send({ method: 'POST', path, headers: { 'content-type': mediaType }, body });
      return { reply, next: await client.send({ method: 'GET', path: pathTo(configMaps, 'list', namespace) }) };
    },
    checks: {
      hostile: ({ reply, next }) => {
        clientError(reply);
        status(next, 200);
      },
    },
  }),
]);

/** Throws Failure unless the body of a 401 or 403 is a Status that says the same as the status code. */
function refusalBody(reply: Reply): void {
  if (reply.status === 401) statusObject(reply, 'Unauthorized');
  if (reply.status === 403) statusObject(reply, 'Forbidden');
}

function refusedWith(reply: Reply, code: number, reason: string): void {
  status(reply, code);
  statusObject(reply, reason);
}
