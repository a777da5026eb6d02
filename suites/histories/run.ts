// Runs histories on a kind of a target: sends the requests of a plan, and records the order and the watches beside them.
import { inBatches } from '../client/backoff.js';
import { Prerequisite } from '../client/expect.js';
import { at, itemsOf, type JsonObject } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import { sampleOf } from '../objects/samples/index.js';
import { absenceFor, type OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { effectiveTarget } from '../run/skips.js';
import { Bodies, json, mergePatch } from './bodies.js';
import { deleteOptions, HistoryClient, type Shared, type Spot, selectorOf } from './clients.js';
import { createdSurely, exchange, succeed } from './exchange.js';
import { type Plan, type PlannedWatch, planOf, type Size, type WatchForm } from './plan.js';
import { type Entry, type History, historyLabel, nameOf, type Ordered, type WatchSeen } from './record.js';
import { Timeline } from './timeline.js';
import { joined, type Watched, watchToEnd } from './watchers.js';

const watchForms = ['list', 'listAll', 'watchList', 'watchAll', 'watchOne'] as const satisfies readonly WatchForm[];

/** Kinds whose finalizers controllers write too. */
const heldByOthers = new Set(['persistentvolumes', 'persistentvolumeclaims']);
/**
 * Kinds whose objects controllers delete: the endpoint controller those without a Service, the garbage collector of
 * pods those without a node.
 */
const removedByOthers = new Set(['endpoints', 'pods']);

/** Runs the plan of a seed. Throws Prerequisite if the target refuses the first or the last object. */
export async function runHistory(
  subject: OperationSubject,
  context: Context,
  seed: number,
  size: Size,
): Promise<History> {
  const resource = resourceOf(subject.operation);
  const { client, sandbox } = context;
  const id = sandbox.name();
  const suffix = resource.found ? '' : (sampleOf(resource).nameSuffix ?? '');
  const places = resource.namespaced ? [await sandbox.namespace('writers'), await sandbox.namespace()] : [''];
  const [near = '', far = near] = places;
  const named = (name: string): string => `${id}-${name}${suffix}`;
  const spots: Spot[] = [
    { place: near, name: named('a') },
    { place: near, name: named('a-b') },
    ...(far === near ? [] : [{ place: far, name: named('a') }]),
  ];
  const canDeleteSelected = resource.namespaced && resource.stated.includes('deleteCollection');
  if (canDeleteSelected) await sandbox.selectorsAreRespected(resource);
  let count = 0;
  const nextStep = (): string => {
    count += 1;
    return `${id}-${count}`;
  };
  const bodies = new Bodies(sandbox, resource);
  const entries: Entry[] = [];
  const create = async ({ place, name }: Spot): Promise<void> => {
    const path = pathTo(resource, 'create', place || undefined);
    const about = { what: 'create', client: 0, place, name, method: 'POST', path, type: json } as const;
    const sent = await createdSurely(`create ${resource.plural}: POST ${path}`, async () => {
      const step = nextStep();
      const sentBody = bodies.create(name, place || undefined, { id, client: 0, side: 'left', step });
      return { ...about, sentBody, step, ...(await exchange(client, 'POST', path, sentBody)) };
    });
    entries.push(...sent);
  };
  await create(spots[0] as Spot);
  const marker = named('end');
  let finish: (done?: unknown) => void = () => undefined;
  const written = new Promise<unknown>((resolve) => {
    finish = resolve;
  });
  const pathOf = (place: string): string => pathTo(resource, 'list', place || undefined);
  const isIn = (place: string, object: JsonObject): boolean =>
    (at(object, 'metadata', 'namespace') ?? '') === place &&
    // admission may name an object by itself
    (nameOf(object).startsWith(`${id}-`) || at(object, 'metadata', 'labels', historyLabel) === id);
  const watchedIn = (place: string): Watched => ({
    ...{ client, path: pathOf(place), place, written },
    selector: resource.namespaced ? undefined : selectorOf(id),
    isOwn: (object) => isIn(place, object),
    isLast: ({ name, namespace }) => name === marker && namespace === place,
  });
  const single = { place: near, name: named('race-b') };
  const watchedAs = (place: string, { form, selected }: PlannedWatch): Watched => {
    const path = pathTo(resource, form, place || undefined, single.name);
    const all = watchedIn(place);
    if (form === 'watchOne')
      return { ...all, path, selector: undefined, name: single.name, isLast: ({ type }) => type === 'DELETED' };
    if (selected) return { ...all, path, selector: selectorOf(id, 'left'), side: 'left' };
    // others may have many objects in the whole cluster
    return { ...all, path, selector: form === 'listAll' || form === 'watchAll' ? selectorOf(id) : all.selector };
  };
  const running: Promise<WatchSeen[]>[] = [];
  const watch = (place: string, from: string | undefined, planned: PlannedWatch): void => {
    const cutAfter = from === undefined ? undefined : planned.cutAfter;
    running.push(watchToEnd(watchedAs(place, planned), from, cutAfter));
  };
  const { notSupported } = effectiveTarget(context.run.target, subject);
  const has = (feature: 'limit' | 'resource-version-match'): boolean =>
    absenceFor(notSupported, subject, { feature }) === undefined;
  const shared: Shared = {
    ...{ context, resource, id, places, spots, entries, watch, nextStep, canDeleteSelected },
    canPage: has('limit'),
    canListExactly: has('resource-version-match'),
    canHold: !heldByOthers.has(resource.plural),
  };
  const starts = await Promise.all(
    places.map(async (place) => {
      const path = `${pathOf(place)}?labelSelector=${encodeURIComponent(selectorOf(id))}`;
      const list = await succeed(client, 'GET', path);
      const version = String(at(list, 'metadata', 'resourceVersion') ?? '');
      if (version === '') throw new Prerequisite(`GET ${path}: the list has no resourceVersion`);
      return { place, version, start: itemsOf(list).filter((object) => isIn(place, object)) };
    }),
  );
  const orders = starts.map(({ place, version }) => watchToEnd(watchedIn(place), version));
  try {
    const contended = { place: near, name: named('race') };
    const versions = new Map(starts.map(({ place, version }) => [place, version]));
    const canRemove = !heldByOthers.has(resource.plural);
    const forms = watchForms.filter((form) => resource.stated.includes(form) && (form !== 'watchOne' || canRemove));
    const clients = await runClients(planOf(seed, size, forms), shared, versions);
    if (far !== near) {
      // For reads that find the wrong one. And a watch of all namespaces may be about this one, in which the clients may
      // have changed nothing.
      const namesake = { place: far, name: contended.name };
      await create(namesake);
      await clients[0]?.touch(namesake);
    }
    await create(contended);
    await clients[0]?.touch(contended);
    await Promise.all(clients.map((one) => one.look(contended)));
    await create(single);
    await clients[0]?.turn(single);
    await Promise.all(clients.map((one) => one.touch(single)));
    // An object of several states, while nobody writes: what a list shows of it is its last one.
    await clients[0]?.list(near);
    await Promise.all([...clients.map((one) => one.contend(contended)), clients.at(-1)?.survey(near)]);
    await Promise.all(clients.map((one) => one.look(contended)));
    await clients[0]?.adjust(contended);
    await Promise.all(clients.map((one) => one.generate(near)));
    await clients[0]?.spare(contended);
    await clients.at(-1)?.renew(contended);
    await clients[0]?.sweep(near);
    if (canRemove) await clients[0]?.remove(single);
    // there is nothing to patch
    await clients.at(-1)?.touch(single);
    await clients[0]?.list(near);
    for (const place of places) await create({ place, name: marker });
  } finally {
    finish();
    await Promise.allSettled([...orders, ...running]);
  }
  const parts = await Promise.all(orders);
  const ordered = starts.map((start, index): Ordered => {
    const seen = parts[index] ?? [];
    const changes = joined(seen);
    const isComplete = changes.some(({ name }) => name === marker);
    return { ...start, request: seen[0]?.request ?? '', changes, isComplete };
  });
  const watches = (await Promise.all(running)).flat();
  if (parts.flat().some(({ isOver }) => isOver))
    throw new Prerequisite(`${parts[0]?.[0]?.request}: the server forgot versions while the history ran`);
  await clear(shared, ordered);
  return { seed, entries, orders: ordered, watches, marker, isRemovedByOthers: removedByOthers.has(resource.plural) };
}

async function runClients(plan: Plan, shared: Shared, versions: ReadonlyMap<string, string>): Promise<HistoryClient[]> {
  const clients = plan.map((_, index) => new HistoryClient(shared, index + 1, versions));
  const running = plan.map((steps, index) => clients[index]?.run(steps));
  await Promise.allSettled(running);
  await Promise.all(running);
  return clients;
}

/** Deletes what is left where a name or an address is not of the run alone, and releases what the history holds. */
async function clear({ context, resource }: Shared, orders: readonly Ordered[]): Promise<void> {
  const left = orders.flatMap((ordered) =>
    [...new Timeline(ordered).state(ordered.changes.length)].map(([name, object]) => ({
      place: ordered.place,
      name,
      object,
    })),
  );
  const isScarce = !resource.namespaced || resource.plural === 'services';
  // the object may be gone
  const send = (...request: Parameters<typeof exchange>): Promise<unknown> =>
    succeed(...request).catch(() => undefined);
  await inBatches(left, async ({ place, name, object }) => {
    const isHeld = Array.isArray(at(object, 'metadata', 'finalizers'));
    if (isHeld && !heldByOthers.has(resource.plural)) {
      const path = pathTo(resource, 'patch', place || undefined, name);
      await send(context.client, 'PATCH', path, { metadata: { finalizers: null } }, mergePatch);
    }
    const path = pathTo(resource, 'delete', place || undefined, name);
    if (isScarce) await send(context.client, 'DELETE', path, deleteOptions);
  });
}
