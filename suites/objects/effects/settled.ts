// An object to write in vain: made anew for each attempt, and after the first one left alone until its controllers are done.

import { fail } from '../../client/expect.js';
import type { JsonObject } from '../../client/json.js';
import type { Reply } from '../../client/reply.js';
import { withLabel } from '../callParts.js';
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

/**
 * Returns a `makerAtRest` of objects that were replaced once, for writes with an old version: `old` is the state before.
 * `moved` returns the response to the last of these replaces.
 */
export function makerOfMoved<M extends CreatedObject>(sandbox: Sandbox, make: () => Promise<M>) {
  let moved: Reply | undefined;
  const makeMoved = makerAtRest(sandbox, async () => {
    const made = await make();
    moved = await sandbox.put(made, (object) => withLabel(object, 'moved'));
    return { ...made, old: made.object, object: (await sandbox.current(made)) ?? made.object };
  });
  return { make: makeMoved, moved: (): Reply => moved ?? fail('no replace was sent') };
}

/**
 * Reads an object until its version has not changed for some reads, more at each of the first attempts. Returns it. A
 * server that does what it must refuse takes some attempts for each write: they must not take longer and longer.
 */
export async function atRest(sandbox: Sandbox, written: Written, attempt: number): Promise<JsonObject | undefined> {
  const wanted = conflicts + Math.min(attempt, conflicts);
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
