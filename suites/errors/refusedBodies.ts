// Writes whose body is missing or invalid for the operation: they are refused, and nothing is written.

import { defined, mediaTypes } from '../../matrix/api/index.js';
import { equal } from '../client/expect.js';
import { at, type JsonObject, merge } from '../client/json.js';
import { resourceOf } from '../client/paths.js';
import { malformed, wrongKind } from '../objects/badBodies.js';
import type { ValidCall } from '../objects/callParts.js';
import { changedNothing, isRefused, sendRefused } from '../objects/refused.js';
import { pods, scaled } from '../objects/related.js';
import { objectsNamed, validCall } from '../objects/validCalls.js';
import { partsOf } from '../parameters/calls.js';
import { makeFor, pathOn } from '../patch/target.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import type { Recorded } from '../run/group.js';

/** Sends a patch without a body. */
export async function sendNoPatch({ operation, mediaType }: OperationSubject, { client, sandbox }: Context) {
  const headers = { 'content-type': mediaType === undefined ? '' : mediaTypes[mediaType] };
  return sendRefused(sandbox, async () => {
    const object = await makeFor(operation, sandbox);
    return { object, send: () => client.send({ method: 'PATCH', path: pathOn(operation, object), headers }) };
  });
}

/** Sends a valid write without its body. */
export async function sendNoBody({ operation }: OperationSubject, { client, sandbox }: Context) {
  const headers = { 'content-type': mediaTypes.json };
  return sendRefused(sandbox, async () => {
    const call = await validCall(operation, sandbox);
    const { method, path } = call;
    return { object: objectOf({ operation }, call), send: () => client.send({ method, path, headers }) };
  });
}

/** Sends a write whose body has the error of the variant. */
export async function sendRefusedBody(subject: OperationSubject, { client, sandbox }: Context) {
  const refused = await sendRefused(sandbox, async () => {
    const call = await validCall(subject.operation, sandbox);
    const { method, path, body = {} } = call;
    return { object: objectOf(subject, call), send: () => client.send({ method, path, ...spoiled(subject, body) }) };
  });
  const { resource, namespace, name } = refused.object;
  return { ...refused, listed: objectsNamed(await sandbox.list(resource, namespace), name).length };
}

/** Returns the object of a call. */
function objectOf({ operation }: Pick<OperationSubject, 'operation'>, { path, body }: ValidCall) {
  const resource = scaled(resourceOf(operation));
  const { name, namespace } = partsOf(operation.path, path);
  return {
    resource: resource.kind === 'Binding' ? pods : resource,
    name: name === '' ? String(at(body, 'metadata', 'name')) : name,
    ...defined({ namespace }),
  };
}

/** Returns the body of a valid call with the error of the variant, and its Content-Type. */
function spoiled({ operation, variant = '', mediaType }: OperationSubject, body: JsonObject) {
  const as = (type: string, text: string) => ({ headers: { 'content-type': type }, body: text });
  const json = mediaTypes.json;
  switch (variant) {
    case 'truncated JSON': {
      const patch = mediaType === 'jsonPatch' ? [{ op: 'add', path: '/metadata/labels', value: {} }] : body;
      return as(mediaType === undefined ? json : mediaTypes[mediaType], JSON.stringify(patch).slice(0, -1));
    }
    case 'an array':
    case 'two objects':
      return as(json, malformed(variant, body).text);
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

/** Throws Failure unless the write was refused, the object is unchanged, and none was created. */
export function wroteNothing(refused: Recorded<typeof sendRefusedBody>): void {
  isRefused(refused.reply);
  changedNothing(refused);
  const { listed, before, object } = refused;
  if (before === undefined) equal(listed, 0, `${refused.reply.request}, then list: items named ${object.name}`);
}
