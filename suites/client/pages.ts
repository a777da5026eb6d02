// Reads a list page by page: how many objects of others it has is not for the suite to choose.
import type { Call } from './calls.js';
import type { Client } from './client.js';
import { at } from './json.js';
import type { Reply } from './reply.js';

/** The number of items of a page, and the maximum number of pages: a faulty server can send any number. */
export const pageSize = 500;
const mostPages = 2_000;

/** Returns the pages of the list of a path, the last one without success or without a continue token. */
export async function* pagesOf(
  client: Pick<Client, 'send'>,
  path: string,
  as?: Call['as'],
): AsyncGenerator<Reply, void, undefined> {
  const query = `${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}`;
  const seen = new Set<string>();
  for (let token = ''; seen.size < mostPages && !seen.has(token); ) {
    seen.add(token);
    const from = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
    const reply = await client.send({ method: 'GET', path: query + from, ...(as !== undefined && { as }) });
    yield reply;
    const next = reply.status === 200 ? at(reply.tryValue(), 'metadata', 'continue') : undefined;
    if (typeof next !== 'string' || next === '') return;
    token = next;
  }
}
