// The resourceVersion in the response to a write: the version that the write gave the object.

import { defined } from '../../matrix/api/index.js';
import { fail, nonEmptyString, success } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import { resourceOf } from '../client/paths.js';
import { scaled } from '../objects/related.js';
import { sendValid, validCall } from '../objects/validCalls.js';
import { partsOf } from '../parameters/calls.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/worker.js';

const versionOf = (object: unknown): unknown => at(object, 'metadata', 'resourceVersion');

/** Sends a valid write, and reads the object's version before and after it. */
export async function writeVersioned({ operation }: OperationSubject, { client, sandbox }: Context) {
  const call = await validCall(operation, sandbox);
  const { name, namespace } = partsOf(operation.path, call.path);
  const object = {
    resource: scaled(resourceOf(operation)),
    name: name === '' ? String(at(call.body, 'metadata', 'name')) : name,
    ...defined({ namespace }),
  };
  const before = versionOf(await sandbox.current(object));
  const type = { 'content-type': call.contentType ?? 'application/json' };
  const reply = await sendValid(client, call, 'json', { accept: 'application/json', ...type });
  return { reply, before, after: versionOf(await sandbox.current(object)) };
}

/**
 * Throws Failure unless the version equals that of the next read. If a controller wrote in between, the version must
 * lie between the two reads.
 */
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
