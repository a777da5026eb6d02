// Parameters of lists: timeouts, versions, pages.

import type { Operation } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { equal, fail, Prerequisite, status, success } from '../client/expect.js';
import { at, brief, namesIn } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import { NoAnswer, type Reply } from '../client/reply.js';
import { runningTime } from '../client/runningTime.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { groupLabel } from '../objects/sandbox.js';
import { get, listedNames } from './calls.js';

const malformedNumbers = ['abc', '1.5', '99999999999999999999'];
const malformedVersions = ['abc', '-1', '12abc'];
const malformedTokens = ['abc', 'e30'];

/** Lists with valid parameters, and with invalid values of them. */
export async function listWithParameters(operation: Operation, client: Client, sandbox: Sandbox) {
  const resource = resourceOf(operation);
  const place = resource.namespaced ? { namespace: await sandbox.listed() } : {};
  const first = await sandbox.make(resource, place);
  const second = await sandbox.make(resource, place);
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

/** Throws Failure unless the body is a list of the kind that has the object exactly once. */
export function lists(reply: Reply, { name, resource }: CreatedObject): void {
  status(reply, 200);
  equal(at(reply.value(), 'kind'), `${resource.kind}List`, `${reply.request}: kind`);
  equal(listedNames(reply).filter((found) => found === name).length, 1, `${reply.request}: items named ${name}`);
}

/** Milliseconds that a response may take beyond its timeout. */
const margin = 1_500;

/** Lists with a timeout of a second: from version 0, and from a version that does not exist yet. */
export async function listAhead(operation: Operation, client: Client, sandbox: Sandbox) {
  const { namespace } = await sandbox.make(resourceOf(operation));
  const path = fill(operation.path, namespace);
  const known = String(at((await get(client, path)).tryValue(), 'metadata', 'resourceVersion'));
  if (!/^\d+$/.test(known)) throw new Prerequisite(`no version is ahead of ${known}: it is not a number`);
  const ahead = String(BigInt(known) + 1_000_000n);
  const timed = async (query: string) => {
    const started = runningTime();
    const reply = await answerOf(client, path, `${query}&timeoutSeconds=1`);
    const milliseconds = Math.round(runningTime() - started);
    if (milliseconds > 1_000 + margin) client.health.lost(`GET ${path}?${query}: within its timeoutSeconds`);
    return { reply, query, milliseconds };
  };
  return { ordinary: await timed('resourceVersion=0'), ahead: await timed(`resourceVersion=${ahead}`), wanted: ahead };
}

/** Throws Failure if the list is older than the version: a server whose versions are far apart may have reached it. */
export function showsNothingOlder(reply: Reply | undefined, wanted: string): void {
  if (reply === undefined || reply.status >= 400) return;
  const shown = at(reply.value(), 'metadata', 'resourceVersion');
  if (/^\d+$/.test(String(shown)) && BigInt(String(shown)) >= BigInt(wanted)) return;
  fail(`${reply.request}: a list of version ${brief(shown)}, while the version asked for is still to come`);
}

/** Throws Failure unless the exchange ended in time. */
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

/** Lists at exactly the version at which only the first of two objects existed. */
export async function listExactly(operation: Operation, client: Client, sandbox: Sandbox) {
  const resource = resourceOf(operation);
  const labels = { [groupLabel]: sandbox.name() };
  const first = await sandbox.make(resource, { labels });
  const path = fill(operation.path, first.namespace);
  const version = at((await get(client, path)).tryValue(), 'metadata', 'resourceVersion');
  const second = await sandbox.make(resource, { labels });
  const selector = encodeURIComponent(`${groupLabel}=${labels[groupLabel]}`);
  const query = `labelSelector=${selector}&resourceVersionMatch=Exact&resourceVersion=${version}`;
  return { first, second, reply: await get(client, path, query) };
}

/** The most pages that are read of one list: a server may send some that are empty. */
const mostPages = 30;

/**
 * Reads pages of three objects: one page of two, then pages of one during a create and a delete. Across namespaces, one
 * has the name of another; in a namespace, pages are also read without a selector.
 */
export async function listPages(operation: Operation, client: Client, sandbox: Sandbox) {
  const resource = resourceOf(operation);
  const labels = { [groupLabel]: sandbox.name() };
  const isOfOne = operation.path.includes('{namespace}');
  // The only namespace of a run may have any number of objects already.
  const isApart = isOfOne && client.target.only === undefined;
  const place = isApart ? { namespace: await sandbox.namespace('pages') } : {};
  const made: CreatedObject[] = [];
  for (let count = 0; count < 2; count += 1) made.push(await sandbox.make(resource, { labels, ...place }));
  const namesake = resource.namespaced &&
    !isOfOne && { name: made[0]?.name ?? '', namespace: await sandbox.namespace('other') };
  made.push(await sandbox.make(resource, { labels, ...place, ...namesake }));
  const path = fill(operation.path, made[0]?.namespace);
  const selector = `labelSelector=${encodeURIComponent(`${groupLabel}=${labels[groupLabel]}`)}`;
  const page = (limit: number, token = '', selected = selector): Promise<Reply> => {
    const next = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
    return get(client, path, `${selected}&limit=${limit}${next}`);
  };
  const follow = async (pages: Reply[], limit: number, selected = selector): Promise<readonly Reply[]> => {
    for (
      let token = continueTokenOf(pages[0]);
      token !== '' && pages.length < mostPages;
      token = continueTokenOf(pages.at(-1))
    ) {
      pages.push(await page(limit, token, selected));
    }
    return pages;
  };
  const two = await page(2);
  const unlimited = await get(client, path, `${selector}&limit=0&continue=&resourceVersion=`);
  const whole = isApart ? await follow([await page(2, '', '')], 2, '') : [];
  const first = await page(1);
  await sandbox.make(resource, { labels, ...place });
  const seen = namesIn(first.tryValue());
  const doomed = made.findLast(({ name }) => !seen.includes(name));
  if (doomed !== undefined) {
    const target = pathTo(resource, 'delete', doomed.namespace, doomed.name);
    await sandbox.attempt(`delete ${resource.plural}`, 'DELETE', target);
  }
  return { made, two, unlimited, whole, pages: await follow([first], 1) };
}

/** Throws Failure unless every object of the first page's state is on the pages exactly once, and the pages end. */
export function completes({ made, whole, pages }: Awaited<ReturnType<typeof listPages>>): void {
  const expected = made.map(({ name }) => name).toSorted();
  for (const all of [pages, whole]) {
    const request = all[0]?.request ?? '';
    for (const reply of all) saysWhatRemains(reply);
    if (continueTokenOf(all.at(-1)) !== '') fail(`${request}: it goes on after ${all.length} pages`);
    const names = all.flatMap(listedNames).filter((name) => all === pages || expected.includes(name));
    if (all.length > 0) equal(names.toSorted().join(), expected.join(), `${request}, and its pages: names`);
  }
}

/** Throws Failure if a page says that nothing remains and continues, or the other way round. The number may be an estimate. */
function saysWhatRemains(page: Reply): void {
  success(page);
  const remaining = at(page.value(), 'metadata', 'remainingItemCount') ?? 0;
  const isLast = continueTokenOf(page) === '';
  const isRight = isLast ? remaining === 0 : Number.isInteger(remaining) && Number(remaining) >= 0;
  if (!isRight)
    fail(
      `${page.request}, ${isLast ? 'the last page' : 'not the last page'}: remainingItemCount is ${brief(remaining)}`,
    );
}

/** Returns the continue token of a list; empty if the list is complete. */
export function continueTokenOf(reply: Reply | undefined): string {
  return String(at(reply?.tryValue(), 'metadata', 'continue') ?? '');
}

const versionOf = (object: unknown): string => encodeURIComponent(String(at(object, 'metadata', 'resourceVersion')));
