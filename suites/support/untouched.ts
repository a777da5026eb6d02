// Compares an object with what it was, and tells a change of the target's from one that another writer made.
import { fail, Prerequisite } from './expect.js';
import { at, essence, isObject, type Json, type JsonObject, merge, missing } from './json.js';

/** How the server names this client as the writer of fields: by the User-Agent of its requests. */
const ours = 'kube-api-conformance';

/**
 * The object is what it was, but for the change. Throws Prerequisite where it is not, and where the server says that
 * another writer, such as a controller, wrote it in between: who else would have left it alone is not known then.
 */
export function isUntouched(before: unknown, after: unknown, what: string, change: JsonObject = {}): void {
  const lack = missing(after, merge(essence(before), change));
  if (lack === undefined) return;
  const writer = otherWriter(before, after);
  if (writer !== undefined) throw new Prerequisite(`${what}: ${writer} wrote it in between: ${lack}`);
  fail(`${what}: ${lack}`);
}

/** Who wrote an object after it was read, by `metadata.managedFields` (since 1.18); undefined where it names nobody. */
function otherWriter(before: unknown, after: unknown): string | undefined {
  const known = new Set(managers(before).map((entry) => JSON.stringify(entry)));
  const wrote = managers(after).find(
    (entry) => !known.has(JSON.stringify(entry)) && !String(at(entry, 'manager')).startsWith(ours),
  );
  const name = at(wrote, 'manager');
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function managers(object: unknown): readonly Json[] {
  const entries = isObject(object) ? at(object, 'metadata', 'managedFields') : undefined;
  return Array.isArray(entries) ? entries : [];
}
