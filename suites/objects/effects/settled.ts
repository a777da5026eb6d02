// An object to write in vain: made anew for each attempt, and after the first one left alone until its controllers are done.

import type { JsonObject } from '../../client/json.js';
import { eventually } from '../eventually.js';
import { type CreatedObject, conflicts, type Sandbox } from '../sandbox.js';
import { versionOf, type Written } from './places.js';

/**
 * Returns a function that makes an object for each attempt of a write in vain. A controller that is done soon after a
 * create changes the first object during the write; from the second on, the objects are at rest.
 */
export function makerAtRest<M extends CreatedObject>(sandbox: Sandbox, make: () => Promise<M>): () => Promise<M> {
  let attempt = 0;
  return async () => {
    attempt += 1;
    const made = await make();
    return attempt === 1 ? made : { ...made, object: (await atRest(sandbox, made, attempt)) ?? made.object };
  };
}

/** Reads an object until its version has not changed for some reads, more at each attempt. Returns it. */
export async function atRest(sandbox: Sandbox, written: Written, attempt: number): Promise<JsonObject | undefined> {
  const wanted = conflicts + attempt;
  let [version, same] = [versionOf(written.object), 0];
  return eventually(
    () => sandbox.current(written),
    (object) => {
      const now = versionOf(object);
      same = now === version ? same + 1 : 0;
      version = now;
      return same >= wanted;
    },
    sandbox.timeout,
  );
}
