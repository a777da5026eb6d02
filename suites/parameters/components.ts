// The list of component statuses with the parameters of a list, and with watch=true.
import type { Operation } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { equal, fail, status } from '../client/expect.js';
import type { Reply } from '../client/reply.js';
import { watching } from '../client/streams/watches.js';
import { get, listedNames } from './calls.js';

const queries = ['watch=false', 'resourceVersion=0', 'timeoutSeconds=30', 'timeoutSeconds=2147483647'];

/** Reads the list without a query, and with each parameter that must not change it. */
export async function listComponents({ path }: Operation, client: Client) {
  const plain = await get(client, path);
  const queried: Reply[] = [];
  for (const query of queries) queried.push(await get(client, path, query));
  return { plain, queried };
}

/** Throws Failure unless every list has the same components. */
export function hasSameComponents({ plain, queried }: Awaited<ReturnType<typeof listComponents>>): void {
  for (const reply of [plain, ...queried]) {
    status(reply, 200);
    equal(namesOf(reply), namesOf(plain), `${reply.request}: the components`);
  }
}

const namesOf = (reply: Reply): string => listedNames(reply).toSorted().join();

/** Asks for a watch of component statuses, of which the document shows none. */
export async function watchComponents({ path }: Operation, client: Client) {
  return watching(client, path, { timeoutSeconds: 1 }, async (stream) => ({
    request: stream.request,
    status: stream.status,
    end: await stream.ended(),
  }));
}

/** Throws Failure unless the server responded and the stream ended. */
export function endsInTime({ request, status, end }: Awaited<ReturnType<typeof watchComponents>>): void {
  if (status > 499) fail(`${request}: expected a stream, a list or a client error, got ${status}`);
  if (end === undefined) fail(`${request}: it has not ended, with timeoutSeconds=1`);
  if (status < 300) equal(end.how, 'complete', `${request}: how it ended`);
}
