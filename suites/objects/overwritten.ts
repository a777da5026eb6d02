// Tells a write that was not stored from a write that a controller of the target overwrote before it was read.
import { at, isObject, type JsonObject, missing } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { eventsAbout, watching } from '../client/streams/watches.js';
import { annotateAnyhow } from './anyhow.js';
import type { CreatedObject, Sandbox } from './sandbox.js';

/** Milliseconds that a watch goes on that no write ends. */
const withoutEnd = 3_000;
const last = 'kube-api-conformance/last-write';

/**
 * Returns the state with that part, from a watch that starts at the version of the create; undefined if the watch shows
 * none. A server that did not store the part cannot send it. Events come in order, so the event of one more write ends
 * the watch; if the server refuses this write, the watch goes on for a while.
 */
export async function findEarlierState(
  sandbox: Sandbox,
  made: CreatedObject,
  part: JsonObject,
): Promise<JsonObject | undefined> {
  const { client } = sandbox;
  const { resource, namespace, name, object } = made;
  const query = { resourceVersion: String(at(object, 'metadata', 'resourceVersion')) };
  return watching(client, pathTo(resource, 'list', namespace), query, async (stream) => {
    const states = () => eventsAbout(name, stream).map((event) => event.object);
    const found = (): JsonObject | undefined =>
      states().find((state) => isObject(state) && missing(state, part) === undefined);
    const value = sandbox.name();
    const refusals = await annotateAnyhow(client, pathTo(resource, 'patch', namespace, name), last, value);
    const isOver = () => states().some((state) => at(state, 'metadata', 'annotations', last) === value);
    const deadline = refusals === undefined ? sandbox.timeout : Math.min(withoutEnd, sandbox.timeout);
    await stream.until(() => found() !== undefined || isOver(), deadline);
    return found();
  });
}
