// A write that must be refused, and its object before and after the write.
import type { Resource } from '../../matrix/api/index.js';
import { equal, fail, isStill, nonEmptyString, oneOf, status, statusObject } from '../client/expect.js';
import { at, type JsonObject } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { isSame } from './effects/index.js';
import { type CreatedObject, conflicts, type Sandbox } from './sandbox.js';

/** The response to a write, and the object before and after the write. */
export interface Refused {
  readonly reply: Reply;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  readonly object: Attempted['object'];
}

const pause = 200;

const versionOf = (object: JsonObject | undefined): unknown => at(object, 'metadata', 'resourceVersion');

/** A write that must be refused, and its object. */
export interface Attempted {
  readonly object: Pick<CreatedObject, 'resource' | 'name' | 'namespace'>;
  readonly send: () => Promise<Reply>;
}

/**
 * Sends a write, and reads the object before and after it. Repeats all with a new object if the object changed: a
 * controller changes an object only soon after its create, and a server that executes the refused write changes every
 * object.
 */
export async function sendRefused(sandbox: Sandbox, prepare: () => Promise<Attempted>): Promise<Refused> {
  for (let attempt = 1; ; attempt += 1) {
    const { object, send } = await prepare();
    if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, attempt * pause));
    const before = await sandbox.current(object);
    const reply = await send();
    const after = await sandbox.current(object);
    if (versionOf(before) === versionOf(after) || attempt === conflicts) return { reply, before, after, object };
  }
}

/** Throws Failure unless the write was refused, with any reason. */
export function isRefused(reply: Reply): void {
  if (reply.status < 400) fail(`${reply.request}: expected a refusal, got ${reply.status} ${reply.excerpt()}`);
}

/** Throws Failure unless a response says that the object is absent. */
export function saysAbsent(reply: Reply, { resource, name }: Pick<CreatedObject, 'resource' | 'name'>): void {
  status(reply, 404);
  statusObject(reply, 'NotFound');
  namesObject(reply, resource, name);
}

/**
 * Throws Failure unless a refusal has a message and names the object: by its name, and by its kind and group if at all.
 * Real servers write the kind or the plural.
 */
export function namesObject(reply: Reply, resource: Resource, name: unknown): void {
  nonEmptyString(at(reply.value(), 'message'), `${reply.request}: message of the Status`);
  const detail = (field: string) => at(reply.value(), 'details', field);
  equal(detail('name'), String(name), `${reply.request}: details.name`);
  oneOf(detail('kind'), [undefined, resource.plural, resource.kind], `${reply.request}: details.kind`);
  const { group } = resource.groupVersion;
  // A kind of several groups may be named by any of them.
  if (group === '' || resource.found !== undefined)
    oneOf(detail('group'), [undefined, group], `${reply.request}: details.group`);
}

/** Throws Failure unless the object is the same as before, or still absent. */
export function changedNothing({ reply, before, after }: Omit<Refused, 'object'>): void {
  const there = (object: JsonObject | undefined): string => (object === undefined ? 'absent' : 'there');
  equal(there(after), there(before), `${reply.request}, then read: the object`);
  if (before === undefined || after === undefined) return;
  const version = { before: versionOf(before), after: versionOf(after) };
  isStill(version, `${reply.request}, then read: metadata.resourceVersion`);
  isSame(after, before, `${reply.request}, then read`);
}
