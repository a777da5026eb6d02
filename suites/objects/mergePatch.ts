// The result of a merge patch: RFC 7386, section 2.
import { isObject, type Json, type JsonObject } from '../client/json.js';

/** Returns what a merge patch makes of a value. */
export function mergePatched(target: unknown, patch: Json | undefined): Json | undefined {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json | undefined> = { ...(isObject(target) ? target : {}) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else if (value !== undefined) result[name] = mergePatched(result[name], value);
  }
  return result;
}

/** Returns what a merge patch that is an object makes of an object. */
export const mergedBy =
  (patch: JsonObject) =>
  (before: JsonObject): JsonObject =>
    mergePatched(before, patch) as JsonObject;
