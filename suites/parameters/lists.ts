// Parameters of lists: timeouts, versions, pages.
import type { Operation } from '../../matrix/api/index.js';
import type { Client } from '../support/client.js';
import { equal, fail, Prerequisite, status, success } from '../support/expect.js';
import { at, itemsOf } from '../support/json.js';
import { NoAnswer, type Reply } from '../support/reply.js';
import { fill, type Made, pathTo, type Scope } from '../support/scope.js';
import { get, namesIn, resourceOf } from './calls.js';

const group = 'kube-api-conformance/group';

const malformedNumbers = ['abc', '1.5', '99999999999999999999'];
const malformedVersions = ['abc', '-1', '12abc'];
const malformedTokens = ['abc', 'e30'];

/** Lists with parameters that are understood, and with values of theirs that are not. */
export async function listWithParameters(operation: Operation, client: Client, scope: Scope) {
  const first = await scope.make(resourceOf(operation));
  const second = await scope.make(resourceOf(operation));
  const path = fill(operation.path, first.namespace);
  const all = async (name: string, values: readonly string[], more = ''): Promise<Reply[]> => {
    const replies = [];
    for (const value of values) replies.push(await get(client, path, `${name}=${encodeURIComponent(value)}${more}`));
    return replies;
  };
  return {
    first,
    second,
    notWatched: await all('watch', ['false', '0'], '&timeoutSeconds=1'),
    timeouts: await all('timeoutSeconds', ['0', '1', '2147483647']),
    badTimeouts: await all('timeoutSeconds', malformedNumbers),
    badVersions: await all('resourceVersion', malformedVersions),
    badLimits: await all('limit', malformedNumbers),
    badTokens: await all('continue', malformedTokens, '&limit=1'),
    sinceAny: await get(client, path, 'resourceVersion=0'),
    sinceFirst: await get(client, path, `resourceVersion=${versionOf(first.object)}`),
    sinceSecond: await get(client, path, `resourceVersion=${versionOf(second.object)}`),
  };
}

/** A list of the kind that holds the object once. */
export function lists(reply: Reply, { name, resource }: Made): void {
  status(reply, 200);
  equal(at(reply.value(), 'kind'), `${resource.kind}List`, `${reply.request}: kind`);
  equal(namesIn(reply).filter((found) => found === name).length, 1, `${reply.request}: items named ${name}`);
}

/** The margin that an answer has beyond its timeout: the way to the server and back. */
const margin = 1_500;

/** An ordinary list with a timeout of a second, and one of a version that is not there yet. */
export async function listAhead(operation: Operation, client: Client, scope: Scope) {
  const { namespace } = await scope.make(resourceOf(operation));
  const path = fill(operation.path, namespace);
  const known = String(at((await get(client, path)).tryValue(), 'metadata', 'resourceVersion'));
  if (!/^\d+$/.test(known)) throw new Prerequisite(`no version is ahead of ${known}: it is no number`);
  const ahead = String(BigInt(known) + 1_000_000n);
  const timed = async (query: string) => {
    const started = performance.now();
    const reply = await answerOf(client, path, `${query}&timeoutSeconds=1`);
    return { reply, query, milliseconds: Math.round(performance.now() - started) };
  };
  return { ordinary: await timed('resourceVersion=0'), ahead: await timed(`resourceVersion=${ahead}`) };
}

/** The exchange was over in time. */
export function endsInTime({ query, milliseconds }: { query: string; milliseconds: number }): void {
  if (milliseconds > 1_000 + margin) fail(`a list with ${query}&timeoutSeconds=1 took ${milliseconds} ms`);
}

async function answerOf(client: Client, path: string, query: string): Promise<Reply | undefined> {
  try {
    return await client.send({ method: 'GET', path: `${path}?${query}`, deadline: 6_000 });
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

/** A list at exactly the version at which only the first of two objects was there. */
export async function listExactly(operation: Operation, client: Client, scope: Scope) {
  const resource = resourceOf(operation);
  const labels = { [group]: scope.name() };
  const first = await scope.make(resource, { labels });
  const path = fill(operation.path, first.namespace);
  const version = at((await get(client, path)).tryValue(), 'metadata', 'resourceVersion');
  const second = await scope.make(resource, { labels });
  const selector = encodeURIComponent(`${group}=${labels[group]}`);
  const query = `labelSelector=${selector}&resourceVersionMatch=Exact&resourceVersion=${version}`;
  return { first, second, reply: await get(client, path, query) };
}

/** Pages of three objects: two at once, then one by one while another is created and one of the rest deleted. */
export async function listPages(operation: Operation, client: Client, scope: Scope) {
  const resource = resourceOf(operation);
  const labels = { [group]: scope.name() };
  const made: Made[] = [];
  for (let count = 0; count < 3; count += 1) made.push(await scope.make(resource, { labels }));
  const path = fill(operation.path, made[0]?.namespace);
  const page = (limit: number, token = ''): Promise<Reply> => {
    const next = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
    return get(client, path, `labelSelector=${encodeURIComponent(`${group}=${labels[group]}`)}&limit=${limit}${next}`);
  };
  const two = await page(2);
  const pages = [await page(1)];
  await scope.make(resource, { labels });
  const seen = pages.flatMap((reply) => itemsOf(reply.tryValue()).map((item) => at(item, 'metadata', 'name')));
  const doomed = made.findLast(({ name }) => !seen.includes(name));
  if (doomed !== undefined) {
    const target = pathTo(resource, 'delete', doomed.namespace, doomed.name);
    await scope.attempt(`delete ${resource.plural}`, 'DELETE', target);
  }
  for (let token = tokenOf(pages[0]); token !== '' && pages.length < 10; token = tokenOf(pages.at(-1))) {
    pages.push(await page(1, token));
  }
  return { made, two, pages };
}

/** Every object of the first page's state is on the pages, once. */
export function completes({ made, pages }: Awaited<ReturnType<typeof listPages>>): void {
  const request = pages[0]?.request ?? '';
  for (const reply of pages) success(reply);
  const names = pages.flatMap(namesIn).toSorted();
  const expected = made.map(({ name }) => name).toSorted();
  equal(names.join(), expected.join(), `${request}, and its pages: names`);
}

/** The token of a list that has more to come, or nothing. */
export function tokenOf(reply: Reply | undefined): string {
  return String(at(reply?.tryValue(), 'metadata', 'continue') ?? '');
}

const versionOf = (object: unknown): string => encodeURIComponent(String(at(object, 'metadata', 'resourceVersion')));
