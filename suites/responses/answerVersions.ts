// The resourceVersion in the answer of a write: the one that the write gave the object.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { partsOf } from '../parameters/calls.js';
import { fail, nonEmptyString, success } from '../support/expect.js';
import { at, brief } from '../support/json.js';
import { scaled } from '../support/related.js';
import { sendValid, validCall } from '../support/validCalls.js';
import type { Context } from '../support/worker.js';

const versionOf = (object: unknown): unknown => at(object, 'metadata', 'resourceVersion');

/** Sends a valid write, with the object's version before and after it. */
export async function writeVersioned({ operation }: OperationSubject, { client, scope }: Context) {
  const call = await validCall(operation, scope);
  const { name, namespace } = partsOf(operation.path, call.path);
  const object = {
    resource: scaled(operation.resource ?? fail('a write without a resource')),
    name: name === '' ? String(at(call.body, 'metadata', 'name')) : name,
    ...(namespace === undefined ? {} : { namespace }),
  };
  const before = versionOf(await scope.current(object));
  const type = { 'content-type': call.contentType ?? 'application/json' };
  const reply = await sendValid(client, call, 'json', { accept: 'application/json', ...type });
  return { reply, before, after: versionOf(await scope.current(object)) };
}

/** It is what a read gives then; a controller that wrote in between left it between the two reads. */
export function answersItsVersion({ reply, before, after }: Awaited<ReturnType<typeof writeVersioned>>): void {
  success(reply);
  const version = nonEmptyString(versionOf(reply.value()), `${reply.request}: metadata.resourceVersion`);
  if (version === after) return;
  const numbers = [before ?? '0', version, after].map((text) =>
    /^\d+$/.test(String(text)) ? BigInt(String(text)) : undefined,
  );
  const [from, here, to] = numbers;
  if (from !== undefined && here !== undefined && to !== undefined && from < here && here < to) return;
  fail(
    `${reply.request}: metadata.resourceVersion is ${brief(version)}; before it was ${brief(before)}, a read then gives ${brief(after)}`,
  );
}
