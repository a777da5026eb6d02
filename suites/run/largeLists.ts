// Lists that are too large to be read at once, because of the objects of others: they say nothing about a requirement.
import type { Client } from '../client/client.js';
import { Unchecked } from '../client/expect.js';
import { pagesOf } from '../client/pages.js';
import { NoAnswer } from '../client/reply.js';
import { TooLarge } from '../client/transport.js';

/** The bytes in pages that prove a list to be large: other media types are longer than JSON. */
const large = 16 * 1024 * 1024;

/**
 * Returns an error, or a skip in place of an answer that was too large, if the list is as large when it is read in
 * pages. A server whose answer only has no end shows no such pages.
 */
export async function judgedBySize(client: Client, error: unknown): Promise<unknown> {
  const path = tooLargeList(error);
  if (path === undefined) return error;
  let bytes = 0;
  try {
    for await (const page of pagesOf(client, path)) {
      bytes += page.bytes.length;
      if (page.status !== 200) return error;
      if (bytes >= large)
        return new Unchecked('skipped', `${path} has too many objects of others: it is too large to be read at once`);
    }
  } catch (thrown) {
    if (!(thrown instanceof NoAnswer)) throw thrown;
  }
  return error;
}

/** Returns the path of the list whose answer was too large; undefined for other errors. */
function tooLargeList(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof NoAnswer && cause.cause instanceof TooLarge)
      return /^GET (\S+?)(?:\?\S*)?: no answer/.exec(cause.message)?.[1];
  return undefined;
}
