// A burst: hundreds of writes from many clients at once, and a watch that must show each of them once.
import { fail, Prerequisite } from '../client/expect.js';
import { at } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import type { Recorded } from '../run/group.js';
import { mergePatch } from './bodies.js';
import { createdSurely, exchange, succeed } from './exchange.js';
import { versionOf, type WatchSeen } from './record.js';
import { joined, type Watched, watchToEnd } from './watchers.js';

/** More writers than servers have workers, and more events than their queues hold. */
const writers = 30;
const changes = 9;

/** Creates thirty objects and changes each nine times, all objects at once. */
export async function writeBurst({ operation }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const namespace = resource.namespaced ? await sandbox.namespace('writers') : undefined;
  const path = fill(operation.path, namespace);
  const from = versionOf(await succeed(client, 'GET', pathTo(resource, 'list', namespace)));
  const names = new Set(Array.from({ length: writers }, () => sandbox.name(resource)));
  const marker = sandbox.name(resource);
  let finish: (done?: unknown) => void = () => undefined;
  const written = new Promise<unknown>((resolve) => {
    finish = resolve;
  });
  const isIn = (there: unknown): boolean => (there ?? '') === (namespace ?? '');
  const watched: Watched = {
    ...{ client, path, place: namespace ?? '', selector: undefined, written },
    isOwn: ({ metadata }) => names.has(String(at(metadata, 'name'))) && isIn(at(metadata, 'namespace')),
    isLast: ({ name, namespace: there }) => name === marker && isIn(there),
  };
  const parts = watchToEnd(watched, from);
  const create = async (name: string): Promise<string> => {
    const body = sandbox.body(resource, name, namespace);
    const send = () => exchange(client, 'POST', pathTo(resource, 'create', namespace), body);
    return versionOf((await createdSurely(`create ${name}`, send)).at(-1)?.reply);
  };
  const writing = [...names].map(async (name) => {
    const versions = [await create(name)];
    for (let count = 1; count <= changes; count += 1) {
      const change = { metadata: { annotations: { 'kube-api-conformance/step': String(count) } } };
      const reply = await succeed(client, 'PATCH', pathTo(resource, 'patch', namespace, name), change, mergePatch);
      versions.push(versionOf(reply));
    }
    // a create whose response was lost shows no version
    return versions.filter((version) => version !== '').map((version) => `${name} at version ${version}`);
  });
  try {
    const all = (await Promise.all(writing)).flat();
    await create(marker);
    finish();
    const shown = await parts;
    const [{ request } = { request: path }] = shown;
    if (shown.some(({ isOver }) => isOver)) throw new Prerequisite(`${request}: the server forgot versions`);
    const later = await watchToEnd(watched, from);
    const stated = (seen: readonly WatchSeen[]) =>
      joined(seen).map(({ name, version }) => `${name} at version ${version}`);
    // A server may forget so many versions, and says so.
    return { request, all, live: stated(shown), ...(!later.some(({ isOver }) => isOver) && { later: stated(later) }) };
  } finally {
    finish();
    await Promise.allSettled(writing);
  }
}

export function losesNone({ request, all, live, later = all }: Recorded<typeof writeBurst>): void {
  for (const [when, seen] of Object.entries({ live, later })) {
    const shown = new Set(seen);
    const lost = all.filter((one) => !shown.has(one));
    const what = `${request}${when === 'later' ? ' again, after the writes' : ''}`;
    if (lost.length > 0)
      fail(`${what}: of ${all.length} writes, ${writers} at a time, ${lost.length} have no event: first ${lost[0]}`);
    const twice = seen.find((one, index) => seen.indexOf(one) !== index);
    if (twice !== undefined) fail(`${what}: two events show ${twice}`);
  }
}
