// Removes the objects that a run created, and lists the objects that remain.

import { Busy, inBatches } from '../client/backoff.js';
import { isControllersEvent, namePrefix, namespaceOf, objectNameOf, runOf } from '../client/belonging.js';
import { ownCredential } from '../client/carried.js';
import type { Client } from '../client/client.js';
import { at, itemsOf, type JsonObject } from '../client/json.js';
import { pagesOf } from '../client/pages.js';
import { pathTo } from '../client/paths.js';
import { NoAnswer } from '../client/reply.js';
import { runningTime } from '../client/runningTime.js';
import { type Undeletable, type UnsafeDeletes, unsafeDeletesReason } from '../objects/deletes.js';
import { onNamespaceServer } from '../objects/namespaceServer.js';
import { namespaces as namespaceRow } from '../objects/related.js';
import type { NotSupported } from '../requirements/index.js';
import { kindsOfTarget, type Listed, type TargetKind } from './kindsOfTarget.js';
import { nameOf, type Own, pathOf, pause, Removal, type Tell } from './removal.js';

/** Milliseconds that namespaces may take without progress: without a controller that finishes them, and with one. */
const standstill = { alone: 1_000, controlled: 10_000 } as const;
/** The maximum of milliseconds between two looks at the namespaces that remain. */
const longestPause = 1_000;
/** The maximum number of searches for objects that controllers created in the meantime. */
const sweeps = 5;

/**
 * Deletes every object of the run, its namespaces last, and returns the names of the objects that remain. Touches only
 * objects of the run, and none if the target's deletes cannot be trusted. `tell` gets a line with the number of objects
 * to remove, and one about finalizers of others that had to be removed. `others`: the kinds beside the interface of which
 * the run created objects.
 */
export async function cleanUp(
  client: Client,
  runId: string,
  notSupported: readonly NotSupported[],
  undeletable: Undeletable = {},
  tell: Tell = () => undefined,
  others: readonly Listed[] = [],
): Promise<string[]> {
  const left = await cleanUpServer(client, runId, notSupported, undeletable, tell, others);
  const elsewhere = await onNamespaceServer(client, (keeper) =>
    cleanUpServer(keeper, runId, [], undeletable, tell, []),
  );
  return [...left, ...(elsewhere ?? [])];
}

async function cleanUpServer(
  ...[client, runId, notSupported, undeletable, tell, others]: Required<Parameters<typeof cleanUp>>
) {
  // Objects that were created through an alias are deleted through the alias.
  client.alias = client.target.aliases?.[0]?.to;
  const kinds = await kindsOfTarget(client, notSupported, others);
  if (client.target.only !== undefined) return await cleanUpNamespace(client, kinds, runId, undeletable, tell);
  const removal = new Removal(client, tell);
  if (undeletable.objects !== undefined)
    return leftovers(await ownObjects(client, kinds, runId), removal, notDeleted(undeletable.objects));
  const wide = kinds.filter(({ namespaced }) => !namespaced);
  const found = await ownObjects(client, wide, runId);
  tell(inWords(found));
  const spaces = found.filter(({ kind }) => kind.plural === 'namespaces');
  await inBatches(
    found.filter((one) => !spaces.includes(one)),
    (one) => removal.remove(one),
  );
  const timeout = standstill[(await areControlled(client, spaces)) ? 'controlled' : 'alone'];
  await inBatches(spaces, (one) => removal.remove(one));
  await removal.endPatience(timeout);
  const namespaced = kinds.filter((kind) => kind.namespaced);
  const staying = await stillThere(client, spaces, timeout);
  await inBatches(staying, (one) => finishByHand(removal, one, namespaced));
  await stillThere(client, staying, timeout);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    // objects in namespaces that are gone, and events in the server's own namespaces
    const rest = await ownObjects(client, namespaced, runId);
    if (rest.length === 0) return leftovers(await ownObjects(client, wide, runId), removal);
    await inBatches(rest, (one) => removal.remove(one));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return leftovers(await ownObjects(client, kinds, runId), removal);
}

/** Deletes the objects of the run in the only namespace that its user may use: those with a name of the run. */
async function cleanUpNamespace(
  client: Client,
  kinds: readonly TargetKind[],
  runId: string,
  undeletable: Undeletable,
  tell: Tell,
): Promise<string[]> {
  const own = async (): Promise<Own[]> =>
    (await ownObjects(client, kinds, runId)).filter(({ object }) =>
      objectNameOf(object).startsWith(`${namePrefix(runId)}-`),
    );
  const removal = new Removal(client, tell);
  if (undeletable.objects !== undefined) return leftovers(await own(), removal, notDeleted(undeletable.objects));
  tell(inWords(await own()));
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const rest = await own();
    if (rest.length === 0) return [];
    await inBatches(rest, (one) => removal.remove(one));
    if (sweep === 0) await removal.endPatience(standstill.controlled);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return leftovers(await own(), removal);
}

/**
 * Tries deletes on a target where no object can be made for a trial: deletes one object that the run left beside
 * another of its kind. Returns why deletes are not to be sent; undefined if they are.
 */
export async function tryDeletesOnLeft(
  client: Client,
  runId: string,
  notSupported: readonly NotSupported[],
  others: readonly Listed[],
): Promise<UnsafeDeletes | undefined> {
  let isAnyLeft = false;
  for (const kind of await kindsOfTarget(client, notSupported, others)) {
    const [first, second] = await ownObjects(client, [kind], runId);
    isAnyLeft ||= first !== undefined;
    if (first === undefined || second === undefined || kind.plural === 'namespaces') continue;
    const [gone, too] = [pathOf(first), pathOf(second)];
    await new Removal(client, () => undefined).remove(first);
    if ((await ownObjects(client, [kind], runId)).map(pathOf).includes(too)) return undefined;
    return { why: 'deletes-too-much', reason: `DELETE ${gone} deleted ${too} too` };
  }
  return isAnyLeft ? { why: 'untried', reason: 'the run left no two objects of one kind' } : undefined;
}

/** Returns the number of objects of each kind: `3 namespaces, 1 node`. */
function inWords(found: readonly Own[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of found) counts.set(kind.plural, (counts.get(kind.plural) ?? 0) + 1);
  const words = [...counts].map(([plural, count]) => `${count} ${count === 1 ? plural.replace(/s$/, '') : plural}`);
  return words.length === 0 ? 'no objects outside of namespaces' : words.join(', ');
}

const notDeleted = (unsafe: UnsafeDeletes): string => `not deleted, because ${unsafeDeletesReason(unsafe)}`;

/**
 * Returns the remaining objects of the run, as `plural/namespace/name (why)`: `usual` is the reason of those that have
 * none of their own. Events that controllers wrote are left out, what they create again in a namespace that is gone, and
 * what goes with a namespace that is named.
 */
function leftovers(left: readonly Own[], removal: Removal, usual?: string): string[] {
  const spaces = new Set(
    left.filter(({ kind }) => kind.plural === 'namespaces').map(({ object }) => objectNameOf(object)),
  );
  return left
    .filter((own) => !isControllersEvent(own.kind.plural, own.object) && !removal.isBack(own))
    .filter((own) => removal.why(own) !== undefined || !spaces.has(namespaceOf(own.object) ?? ''))
    .map((own) => {
      const why = removal.why(own) ?? usual;
      return `${nameOf(own)}${why === undefined ? '' : ` (${why})`}`;
    });
}

async function ownObjects(client: Client, kinds: readonly TargetKind[], runId: string): Promise<Own[]> {
  return (await objectsOfRuns(client, kinds)).filter((one) => one.runId === runId);
}

async function objectsOfRuns(
  client: Client,
  kinds: readonly TargetKind[],
): Promise<(Own & { readonly runId: string })[]> {
  const only = client.target.only?.namespace;
  const reachable = only === undefined ? kinds : kinds.filter(({ namespaced }) => namespaced);
  const found = await inBatches(reachable, async (kind) =>
    (await listed(client, only === undefined ? kind.everywhere : kind.inNamespace(only), isOfRun)).flatMap((object) => {
      const runId = runOf(object);
      return runId === undefined ? [] : [{ kind, object, runId }];
    }),
  );
  // A list can name an object many times.
  const byPath = new Map(found.flat().map((one) => [pathOf(one), one]));
  return [...byPath.values()];
}

const isOfRun = (object: JsonObject): boolean => runOf(object) !== undefined;

/**
 * Lists with explicit credentials: the user of the run may not list every kind that a controller may have written. The
 * exchanges are forgotten: a slow clean-up asks for long lists many times, and no case is judged by them.
 */
async function listed(
  client: Client,
  path: string,
  keeps: (object: JsonObject) => boolean = () => true,
): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  for await (const page of pagesOf(client, path, ownCredential(client.target))) {
    if (page.status === 200) items.push(...itemsOf(page.tryValue()).filter(keeps));
    client.dropExchanges();
  }
  return items;
}

/** Reports whether a controller handles namespaces, which shows in the service accounts that it creates. */
async function areControlled(client: Client, spaces: readonly Own[]): Promise<boolean> {
  const accounts = spaces.length === 0 ? [] : await listed(client, '/api/v1/serviceaccounts');
  const names = new Set(spaces.map(({ object }) => objectNameOf(object)));
  return accounts.some((one) => objectNameOf(one) === 'default' && names.has(namespaceOf(one) ?? ''));
}

/**
 * Returns the namespaces that remain. Waits for a controller of the target as long as it makes progress, because it may
 * have to delete kinds that the suite cannot see.
 */
async function stillThere(client: Client, spaces: readonly Own[], timeout: number): Promise<Own[]> {
  let left = spaces;
  let since = runningTime();
  while (left.length > 0 && runningTime() - since < timeout) {
    const asked = runningTime();
    const there = new Set((await listed(client, pathTo(namespaceRow, 'list', undefined))).map(objectNameOf));
    const next = left.filter(({ object }) => there.has(objectNameOf(object)));
    if (next.length < left.length) since = runningTime();
    left = next;
    // The looks take a fifth of the time: the controller needs the same server.
    const rest = Math.min(Math.max(pause, 4 * (runningTime() - asked)), longestPause);
    if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }
  return [...left];
}

/** Empties and finalizes a namespace of a server without a namespace controller. */
async function finishByHand(removal: Removal, { object: space }: Own, kinds: readonly TargetKind[]): Promise<void> {
  const { client } = removal;
  const name = objectNameOf(space);
  for (const kind of kinds) {
    const items = await listed(client, kind.inNamespace(name));
    // a server that ignores the namespace of a list returns objects that are not the run's
    const own = items.filter((item) => namespaceOf(item) === name);
    for (const object of own) await removal.remove({ kind, object });
  }
  const path = pathTo(namespaceRow, 'read', undefined, name);
  const reply = await client.send({ method: 'GET', path });
  if (reply.status !== 200) return;
  const version = at(reply.tryValue(), 'metadata', 'resourceVersion');
  const metadata = { name, ...(isVersion(version) && { resourceVersion: version }) };
  const body = JSON.stringify({ kind: 'Namespace', apiVersion: 'v1', metadata, spec: { finalizers: [] } });
  await client.send({ method: 'PUT', path: `${path}/finalize`, headers: { 'content-type': 'application/json' }, body });
}

const isVersion = (value: unknown): value is string => typeof value === 'string' && value.length < 100;

/** The number of remaining objects that are named, and of characters of a name: a target can show any number of any. */
const [mostNamed, longestName] = [1_000, 300];

/** Cleans up. Never throws, so that the outcome of the run stays visible. */
export async function tryCleanUp(...of: Parameters<typeof cleanUp>): Promise<string[]> {
  try {
    const left = await cleanUp(...of);
    const named = left.slice(0, mostNamed).map((name) => name.slice(0, longestName));
    return left.length > mostNamed ? [...named, `and ${left.length - mostNamed} more`] : named;
  } catch (error) {
    const isOfTarget = error instanceof NoAnswer || error instanceof Busy;
    return [`unknown: ${isOfTarget ? error.message : `the cleanup broke off: ${String(error)}`}`.slice(0, 1_000)];
  }
}

/** The objects that a run left on a target. */
export interface LeftOf {
  readonly objects: number;
  /** The number of events that the target's controllers wrote about the run; `clean` removes them too. */
  readonly events: number;
}

/** Returns the objects that each run left on the target, and its namespaces elsewhere, by the id of the run. */
export async function findLeftRuns(
  client: Client,
  notSupported: readonly NotSupported[],
  others: readonly Listed[],
): Promise<Map<string, LeftOf>> {
  const found = new Map<string, LeftOf>();
  const here = await objectsOfRuns(client, await kindsOfTarget(client, notSupported, others));
  const elsewhere = await onNamespaceServer(client, async (keeper) =>
    objectsOfRuns(keeper, await kindsOfTarget(keeper, [])),
  );
  for (const { kind, object, runId } of [...here, ...(elsewhere ?? [])]) {
    const { objects, events } = found.get(runId) ?? { objects: 0, events: 0 };
    const isEvent = isControllersEvent(kind.plural, object);
    found.set(runId, { objects: objects + (isEvent ? 0 : 1), events: events + (isEvent ? 1 : 0) });
  }
  return found;
}
