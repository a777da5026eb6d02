// A create as clients in Go write it: null, an empty text or status for what is not set, and no namespace beside that of
// the path.
import { defined, type Operation } from '../../matrix/api/index.js';
import { fail, holds, success } from '../client/expect.js';
import { at, brief, isObject, type JsonObject, merge } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import type { Sandbox } from '../objects/sandbox.js';
import { sendBody } from '../objects/writes.js';

interface Unset {
  readonly reply: Reply;
  /** What the body says. */
  readonly said: JsonObject;
  readonly read: JsonObject | undefined;
}

const noTime = { metadata: { creationTimestamp: null } };
const noText = { generateName: '', resourceVersion: '', selfLink: '', uid: '' };

/** Creates an object with such a body. */
export async function createUnset(operation: Operation, sandbox: Sandbox): Promise<Unset> {
  const resource = resourceOf(operation);
  const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
  const name = sandbox.name(resource);
  const said = sandbox.body(resource, name, namespace);
  const hasStatus =
    resource.found === undefined && [...resource.stated, ...resource.unstated].includes('replaceStatus');
  const inSpec = isObject(at(said, 'spec', 'template')) ? { spec: { template: noTime } } : {};
  const body = merge(said, {
    ...(hasStatus && { status: {} }),
    ...(isObject(said.template) ? { template: noTime } : inSpec),
    metadata: { ...noTime.metadata, ...noText, namespace: undefined, annotations: null, ownerReferences: null },
  });
  const reply = await sendBody(sandbox, 'POST', fill(operation.path, namespace), body);
  return { reply, said, read: await sandbox.current({ resource, name, ...defined({ namespace }) }) };
}

/** Throws Failure unless the object has what the body says, and the time of its creation. */
export function isCreatedUnset({ reply, said, read }: Unset): void {
  success(reply);
  holds(read, said, `${reply.request} with nulls, then read`);
  const created = at(read, 'metadata', 'creationTimestamp');
  if (typeof created !== 'string')
    fail(`${reply.request} with nulls, then read: creationTimestamp is ${brief(created)}`);
}
