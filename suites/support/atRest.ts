// Reads that are compared with each other: taken again where the object was written between them.
import { Prerequisite } from './expect.js';
import { at, itemsOf } from './json.js';
import type { Reply } from './reply.js';
import { conflicts } from './scope.js';

/**
 * Several answers about one object or list, at the same versions: read again where a version has moved. Answers that
 * never agree, although the first of them stays the same, are returned as they are: that is for the check to judge.
 * Throws Prerequisite where another writer moves the object each time.
 */
export async function readAtRest<T extends Readonly<Record<string, Reply>>>(read: () => Promise<T>): Promise<T> {
  const seen = new Set<string>();
  for (let attempt = 1; ; attempt += 1) {
    const replies = await read();
    const versions = Object.values(replies).map(versionsIn);
    if (new Set(versions).size <= 1) return replies;
    seen.add(String(versions[0]));
    if (attempt < conflicts) continue;
    if (seen.size === 1) return replies;
    const request = Object.values(replies)[0]?.request;
    throw new Prerequisite(`${request}: another client wrote it between one read and the next, ${attempt} times`);
  }
}

/** The versions of an object, or those of the items of a list: its own moves with every write elsewhere. */
function versionsIn(reply: Reply): string {
  const body = reply.tryValue();
  const isList = Array.isArray(at(body, 'items'));
  return JSON.stringify((isList ? itemsOf(body) : [body]).map((object) => at(object, 'metadata', 'resourceVersion')));
}
