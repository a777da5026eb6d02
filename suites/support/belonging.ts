// Which objects belong to a run: the cleaning up, the audit of a run and `clean` all ask here.
import { at, type JsonObject } from './json.js';
import { namePrefix, runLabel } from './run.js';

const namePattern = new RegExp(`^${namePrefix('([0-9a-f]{6})')}-`);

/** The run that an object belongs to: by its name, its namespace, what an event is about, or its label. */
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

/** Whether an object is an event that the server's own controllers wrote about a run: they may write more at any time. */
export function isControllersEvent(plural: string, object: JsonObject): boolean {
  return plural === 'events' && at(object, 'metadata', 'labels', runLabel) === undefined;
}

/** The name of an object, or an empty text. */
export function nameOf(object: JsonObject): string {
  return String(at(object, 'metadata', 'name') ?? '');
}

/** The namespace of an object; undefined where it has none. */
export function namespaceOf(object: JsonObject): string | undefined {
  const namespace = at(object, 'metadata', 'namespace');
  return typeof namespace === 'string' && namespace !== '' ? namespace : undefined;
}
