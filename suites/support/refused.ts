// A write that must be refused, and the object that it is about before and after it.
import { equal, fail, holds } from './expect.js';
import { at, type JsonObject } from './json.js';
import type { Reply } from './reply.js';
import { conflicts, type Made, type Scope } from './scope.js';

/** What a write was answered, and the object before and after it. */
export interface Refused {
  readonly reply: Reply;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  readonly object: Attempted['object'];
}

const pause = 200;

const versionOf = (object: JsonObject | undefined): unknown => at(object, 'metadata', 'resourceVersion');

/** A write that must be refused, and the object that it is about. */
export interface Attempted {
  readonly object: Pick<Made, 'resource' | 'name' | 'namespace'>;
  readonly send: () => Promise<Reply>;
}

/**
 * Sends a write and reads the object before and after it. Where the object moved, all is done again with a new one: a
 * controller moves an object soon after its create, a server that does what it refuses moves each.
 */
export async function sendRefused(scope: Scope, prepare: () => Promise<Attempted>): Promise<Refused> {
  for (let attempt = 1; ; attempt += 1) {
    const { object, send } = await prepare();
    if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, attempt * pause));
    const before = await scope.current(object);
    const reply = await send();
    const after = await scope.current(object);
    if (versionOf(before) === versionOf(after) || attempt === conflicts) return { reply, before, after, object };
  }
}

/** The write was refused, whatever its status says of why. */
export function isRefused(reply: Reply): void {
  if (reply.status < 400) fail(`${reply.request}: expected a refusal, got ${reply.status} ${reply.excerpt()}`);
}

/** The object is as it was before, or still absent. */
export function changedNothing({ reply, before, after }: Omit<Refused, 'object'>): void {
  const there = (object: JsonObject | undefined): string => (object === undefined ? 'absent' : 'there');
  equal(there(after), there(before), `${reply.request}, then read: the object`);
  if (before === undefined || after === undefined) return;
  equal(versionOf(after), String(versionOf(before)), `${reply.request}, then read: metadata.resourceVersion`);
  holds(after, before, `${reply.request}, then read`);
  holds(before, after, `${reply.request}: the object before, against the read after it`);
}
