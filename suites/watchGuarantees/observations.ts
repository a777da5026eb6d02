// Concurrent writers on the collection of a watch, and five readers of it: the setup of all guarantees.
import type { Operation, Resource } from '../../matrix/api/index.js';
import { nonEmptyString } from '../client/expect.js';
import { at, itemsOf, type JsonObject } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { follow, followInParts, type State, type Watched, type WritersOutcome } from './readers.js';
import { ConcurrentWriters, leftHalfSelector, ofWriters, sideOf, writesInLeftHalf } from './writers.js';

/** The maximum number of observations of a server that forgets versions while a reader is away. */
const tries = 3;

/**
 * Runs concurrent writers on the form's collection, with five readers. A server may forget versions at any time, when
 * others write a lot: then everything is observed again. Throws Prerequisite if a write is refused.
 */
export async function observeConcurrentWriters(subject: OperationSubject, context: Context) {
  for (let count = 1; ; count += 1) {
    const seen = await observeOnce(subject, context);
    if (!seen.resumed.isExpired || count === tries) return seen;
  }
}

async function observeOnce({ operation }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const namespace = resource.namespaced ? await sandbox.namespace('writers') : undefined;
  const writers = new ConcurrentWriters(sandbox, resource, namespace);
  await writers.prepare();
  const listPath = `${listedBy(operation, resource, namespace)}?labelSelector=${encodeURIComponent(ofWriters(writers.id))}`;
  const list = async () => {
    const reply = await sandbox.attempt('list', 'GET', listPath);
    const version = nonEmptyString(at(reply.tryValue(), 'metadata', 'resourceVersion'), `${reply.request}: version`);
    return { items: itemsOf(reply.tryValue()), version };
  };
  const names = operation.verb === 'watchOne' ? [writers.there] : writers.names;
  const before = await list();
  const start = stateOf(before.items, names);
  const begun = signal();
  const written = writers.run(begun.fire).then(async () => ({ items: (await list()).items, writes: writers.writes }));
  // if no write is acknowledged, the run of the writers ends the wait
  const underWay = Promise.race([begun.fired, written]);
  const all = written.then(({ items, writes }): WritersOutcome => ({ final: stateOf(items, names), writes }));
  const left = written.then(
    ({ items, writes }): WritersOutcome => ({
      final: stateOf(
        items.filter((item) => sideOf(item) === 'left'),
        names,
      ),
      writes: writesInLeftHalf(writes, start.keys()),
    }),
  );
  const watched: Watched = { client, path: fill(operation.path, namespace, writers.there), names, outcome: all };
  // A list of a whole cluster may be long: there, a watch from the beginning selects only the objects of the writers.
  const small = resource.namespaced ? operation.path.includes('{namespace}') : operation.verb === 'watchOne';
  const readers = [
    follow(watched, { resourceVersion: before.version }, { start }),
    followInParts(watched, before.version, start),
    follow(
      { ...watched, outcome: left },
      { resourceVersion: before.version, labelSelector: leftHalfSelector(writers.id) },
      { start },
    ),
    underWay.then(() => {
      const query = small ? {} : { labelSelector: ofWriters(writers.id) };
      return follow(watched, query, { after: 'first event' });
    }),
    underWay.then(async () => {
      const middle = await list();
      const after = performance.now();
      const query = { resourceVersion: middle.version };
      return follow(watched, query, { start: stateOf(middle.items, names), after });
    }),
  ] as const;
  // If one reader fails, the other readers and the writers still end here.
  await Promise.allSettled([...readers, all, left]);
  const [steady, resumed, filtered, beginning, relisted] = await Promise.all(readers);
  await writers.end();
  return { steady, resumed, filtered, beginning, relisted, there: writers.there };
}

/** Returns the path of the list of the watched objects. */
function listedBy(operation: Operation, resource: Resource, namespace: string | undefined): string {
  const everywhere = operation.verb === 'watchAll' || operation.verb === 'listAll';
  return pathTo(resource, everywhere ? 'listAll' : 'list', namespace);
}

function stateOf(items: readonly JsonObject[], names: readonly string[]): State {
  const own = items.filter((item) => names.includes(String(at(item, 'metadata', 'name'))));
  return new Map(own.map(({ metadata }) => [String(at(metadata, 'name')), String(at(metadata, 'resourceVersion'))]));
}

/** Returns an event that happens once, and a promise for its waiters. */
function signal(): { readonly fired: Promise<void>; readonly fire: () => void } {
  let fire = () => {};
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fired, fire };
}
