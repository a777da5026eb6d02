// Compares an object with its earlier state, and tells a change by the target from a change by another writer.
import { fail, Prerequisite, same } from '../client/expect.js';
import { at, essence, isObject, type Json, type JsonObject, merge, missing } from '../client/json.js';

/** The name of this client as a field manager: servers take it from the User-Agent. */
export const ownManager = 'kube-api-conformance';

/**
 * Throws Failure unless the object is the same as before, except for the change. Throws Prerequisite instead if the
 * object differs and the server names another writer, such as a controller, that wrote it in between: the source of the
 * change is not certain then.
 */
export function isUnchanged(before: unknown, after: unknown, what: string, change: JsonObject = {}): void {
  const lack = missing(after, merge(essence(before), change));
  if (lack === undefined) return;
  const writer = otherWriter(before, after);
  if (writer !== undefined) throw new Prerequisite(`${what}: ${writer} wrote it in between: ${lack}`);
  fail(`${what}: ${lack}`);
}

/**
 * Throws Failure unless the object is the same as before to the last field. If the server names another writer, the
 * object is only compared as `isUnchanged` does.
 */
export function isUnchangedWhole(before: unknown, after: unknown, what: string): void {
  if (otherWriter(before, after) === undefined) same(after, before, what);
  else isUnchanged(before, after, what);
}

/** Returns the manager that wrote an object after it was read, by `metadata.managedFields`; undefined if unknown. */
function otherWriter(before: unknown, after: unknown): string | undefined {
  const known = new Set(managers(before).map((entry) => JSON.stringify(entry)));
  const wrote = managers(after).find(
    (entry) => !known.has(JSON.stringify(entry)) && !String(at(entry, 'manager')).startsWith(ownManager),
  );
  const name = at(wrote, 'manager');
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function managers(object: unknown): readonly Json[] {
  const entries = isObject(object) ? at(object, 'metadata', 'managedFields') : undefined;
  return Array.isArray(entries) ? entries : [];
}
