// Reads that are compared with each other, repeated if the object was written in between.
import { Prerequisite } from '../client/expect.js';
import { at, itemsOf } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { conflicts } from './sandbox.js';

/** Milliseconds before the second try, and half of those before the third: a controller that writes is done soon. */
const firstPause = 100;

/**
 * Returns several responses about one object or list at the same resource versions, as `versionsOf` finds them; reads
 * again, later each time, if a version has changed. If the first response stays the same and the others never agree with
 * it, returns them as they are, for the check to judge. Throws Prerequisite if another writer changes the object each
 * time.
 */
export async function readAtRest<T extends Readonly<Record<string, Reply>>>(
  read: () => Promise<T>,
  versionsOf: (reply: Reply) => string = versionsIn,
): Promise<T> {
  const seen = new Set<string>();
  for (let attempt = 1; ; attempt += 1) {
    const replies = await read();
    const versions = Object.values(replies).map(versionsOf);
    if (new Set(versions).size <= 1) return replies;
    seen.add(String(versions[0]));
    if (attempt < conflicts) {
      await new Promise((resolve) => setTimeout(resolve, firstPause * 2 ** (attempt - 1)));
      continue;
    }
    if (seen.size === 1) return replies;
    const request = Object.values(replies)[0]?.request;
    throw new Prerequisite(`${request}: another client wrote it between one read and the next, ${attempt} times`);
  }
}

/**
 * Returns the version of an object, or the versions of the items of a list. The list's own version changes with every
 * write to other objects.
 */
function versionsIn(reply: Reply): string {
  const body = reply.tryValue();
  const isList = Array.isArray(at(body, 'items'));
  return JSON.stringify((isList ? itemsOf(body) : [body]).map((object) => at(object, 'metadata', 'resourceVersion')));
}
