// A twin: an object that is created of the body to which another one was changed. Its defaults are those of the change.
import type { Resource } from '../../../matrix/api/index.js';
import { isObject, type Json, type JsonObject } from '../../client/json.js';
import { richnessOf } from '../samples/index.js';
import type { Sandbox } from '../sandbox.js';
import { type Change, differenceAfterWrite, mergedWithout } from './compare.js';
import type { Observed } from './observe.js';

/**
 * Returns the change of a write with the defaults of what it adds: those that the server gave to a twin, which is
 * created of the rich sample. The twin is created only if the object has more than the change.
 */
export async function completed(
  sandbox: Sandbox,
  resource: Resource,
  { before, shown: { read } }: Observed,
  change: JsonObject,
): Promise<Change> {
  if (before === undefined || 'lack' in read) return change;
  const expected = mergedWithout(before, change);
  if (differenceAfterWrite(read.object, expected, before) === undefined) return change;
  const twin = await sandbox.make(resource, { change: richnessOf(resource) });
  return () => withDefaults(expected, twin.object, read.object);
}

/**
 * Returns the expected state with the members of `after` that it lacks and the twin has, with the values of the twin.
 * No table of fields decides what a server may add to a body: the same server added it to the twin. Metadata and status
 * belong to each object itself.
 */
export function withDefaults(expected: JsonObject, twin: JsonObject, after: JsonObject): JsonObject {
  const { metadata: _, status: __, ...defaults } = twin;
  return filled(expected, defaults, after) as JsonObject;
}

function filled(expected: Json | undefined, twin: Json | undefined, after: Json | undefined): Json | undefined {
  if (Array.isArray(expected) && Array.isArray(twin) && Array.isArray(after)) {
    if (expected.length !== twin.length) return expected;
    return expected.map((item, index) => filled(item, twin[index], after[index]) ?? item);
  }
  if (!isObject(expected) || !isObject(twin) || !isObject(after)) return expected;
  const members = Object.entries(expected).map(([key, value]) => [key, filled(value, twin[key], after[key])] as const);
  const added = Object.keys(after).filter((key) => expected[key] === undefined && twin[key] !== undefined);
  return Object.fromEntries([...members, ...added.map((key) => [key, twin[key]] as const)]);
}
