// Writes whose body is missing or is none that the operation takes: they are refused, and nothing is written.
import { mediaTypes } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { partsOf } from '../parameters/calls.js';
import { makeFor, pathOn } from '../patch/target.js';
import { malformed, wrongKind } from '../support/badBodies.js';
import type { ValidCall } from '../support/callParts.js';
import { equal, fail } from '../support/expect.js';
import { at, type JsonObject, merge } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import { changedNothing, isRefused, sendRefused } from '../support/refused.js';
import { pods, scaled } from '../support/related.js';
import { named, validCall } from '../support/validCalls.js';
import type { Context } from '../support/worker.js';

/** Sends a patch that has no body. */
export async function sendNoPatch({ operation, mediaType }: OperationSubject, { client, scope }: Context) {
  const headers = { 'content-type': mediaType === undefined ? '' : mediaTypes[mediaType] };
  return sendRefused(scope, async () => {
    const object = await makeFor(operation, scope);
    return { object, send: () => client.send({ method: 'PATCH', path: pathOn(operation, object), headers }) };
  });
}

/** Sends a valid write without its body. */
export async function sendNoBody({ operation }: OperationSubject, { client, scope }: Context) {
  const headers = { 'content-type': mediaTypes.json };
  return sendRefused(scope, async () => {
    const call = await validCall(operation, scope);
    const { method, path } = call;
    return { object: objectOf({ operation }, call), send: () => client.send({ method, path, headers }) };
  });
}

/** Sends a write whose body is spoiled in the way of the variant. */
export async function sendRefusedBody(subject: OperationSubject, { client, scope }: Context) {
  const refused = await sendRefused(scope, async () => {
    const call = await validCall(subject.operation, scope);
    const { method, path, body = {} } = call;
    return { object: objectOf(subject, call), send: () => client.send({ method, path, ...spoiled(subject, body) }) };
  });
  const { resource, namespace, name } = refused.object;
  return { ...refused, listed: named(await scope.list(resource, namespace), name).length };
}

/** The object that a call is about. */
function objectOf({ operation }: Pick<OperationSubject, 'operation'>, { path, body }: ValidCall) {
  const resource = scaled(operation.resource ?? fail('a write without a resource'));
  const { name, namespace } = partsOf(operation.path, path);
  return {
    resource: resource.kind === 'Binding' ? pods : resource,
    name: name === '' ? String(at(body, 'metadata', 'name')) : name,
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** The body of a valid call as the variant spoils it, and the type that it is sent as. */
function spoiled({ operation, variant = '', mediaType }: OperationSubject, body: JsonObject) {
  const as = (type: string, text: string) => ({ headers: { 'content-type': type }, body: text });
  const json = mediaTypes.json;
  switch (variant) {
    case 'truncated JSON': {
      const patch = mediaType === 'jsonPatch' ? [{ op: 'add', path: '/metadata/labels', value: {} }] : body;
      return as(mediaType === undefined ? json : mediaTypes[mediaType], JSON.stringify(patch).slice(0, -1));
    }
    case 'an array':
      return as(json, malformed('an array', body).text);
    case 'a wrong type': {
      const wrong = operation.verb === 'rollback' ? { rollbackTo: ['a list'] } : { metadata: { labels: ['a list'] } };
      return as(json, JSON.stringify(merge(body, wrong)));
    }
    case 'another kind':
      return as(json, JSON.stringify(wrongKind('another kind', body)));
    case 'text/plain':
      return as('text/plain', JSON.stringify(body));
    default:
      throw new Error(`no body for ${variant}`);
  }
}

/** The write was refused, the object is as it was, and none was created. */
export function wroteNothing(refused: Recorded<typeof sendRefusedBody>): void {
  isRefused(refused.reply);
  changedNothing(refused);
  const { listed, before, object } = refused;
  if (before === undefined) equal(listed, 0, `${refused.reply.request}, then list: items named ${object.name}`);
}
