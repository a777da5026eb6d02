// Which objects belong to a run: used by the clean-up, by the audit of a run and by `clean`.
import { at, type JsonObject } from './json.js';

/** The label of every object of a run; its value is the id of the run. */
export const runLabel = 'kube-api-conformance/run';

/** Returns the start of every name that a run creates. */
export const namePrefix = (runId: string): string => `kac-${runId}`;

const namePattern = new RegExp(`^${namePrefix('([0-9a-f]{6})')}-`);

/** Returns the id of an object's run, by its name, its namespace, the involved object of an event, or its label. */
export function runOf(object: JsonObject): string | undefined {
  const names = [
    at(object, 'metadata', 'name'),
    at(object, 'metadata', 'namespace'),
    at(object, 'involvedObject', 'name'),
    at(object, 'involvedObject', 'namespace'),
  ];
  const named = names.flatMap((name) => namePattern.exec(String(name ?? ''))?.[1] ?? [])[0];
  return named ?? (String(at(object, 'metadata', 'labels', runLabel) ?? '') || undefined);
}

/**
 * Reports whether an object is an event that the server's own controllers wrote about a run. Controllers may write more
 * at any time.
 */
export function isControllersEvent(plural: string, object: JsonObject): boolean {
  return plural === 'events' && at(object, 'metadata', 'labels', runLabel) === undefined;
}

/** Returns the name of an object; empty if it has none. */
export function objectNameOf(object: JsonObject): string {
  return String(at(object, 'metadata', 'name') ?? '');
}

/** Returns the namespace of an object; undefined if it has none. */
export function namespaceOf(object: JsonObject): string | undefined {
  const namespace = at(object, 'metadata', 'namespace');
  return typeof namespace === 'string' && namespace !== '' ? namespace : undefined;
}
