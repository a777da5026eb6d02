// Tells a write that was not done from one that a controller of the target wrote over before it was read.
import { at, isObject, type JsonObject, missing } from './json.js';
import { type Made, pathTo, type Scope } from './scope.js';
import { eventsAbout, watching } from './watching.js';

/** Seconds that the watch of what has been may take. */
const patience = 3;

/**
 * The state in which a watch from the object's beginning has told of it with that part; undefined where it has told of
 * none. A server that did not store the part cannot tell of it.
 */
export async function toldWith(scope: Scope, made: Made, part: JsonObject): Promise<JsonObject | undefined> {
  const { resource, namespace, name, object } = made;
  const query = {
    resourceVersion: String(at(object, 'metadata', 'resourceVersion')),
    timeoutSeconds: patience,
  };
  return watching(scope.client, pathTo(resource, 'list', namespace), query, async (stream) => {
    const found = (): JsonObject | undefined =>
      eventsAbout(name, stream)
        .map((event) => event.object)
        .find((state) => isObject(state) && missing(state, part) === undefined);
    await stream.until(() => found() !== undefined, (patience + 2) * 1000);
    return found();
  });
}
