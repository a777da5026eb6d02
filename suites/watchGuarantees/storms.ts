// A storm on the collection of a watch, and everybody who reads it: one performance that all guarantees look at.
import type { Operation, Resource } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { fail, nonEmptyString } from '../support/expect.js';
import { at, itemsOf, type JsonObject } from '../support/json.js';
import { fill, pathTo } from '../support/scope.js';
import type { Context } from '../support/worker.js';
import { follow, followInParts, type Outcome, type State, type Watched } from './readers.js';
import { inStorm, onTheLeft, Storm, seenFromTheLeft, sideOf } from './storm.js';

/** Runs a storm on the collection of the form, with five readers. Throws Prerequisite where a write is refused. */
export async function weather({ operation }: OperationSubject, { client, scope }: Context) {
  const resource = operation.resource ?? fail('a watch without a resource');
  const namespace = resource.namespaced ? await scope.namespace('storm') : undefined;
  const storm = new Storm(scope, resource, namespace);
  await storm.prepare();
  const listPath = `${listedBy(operation, resource, namespace)}?labelSelector=${encodeURIComponent(inStorm(storm.id))}`;
  const list = async () => {
    const reply = await scope.attempt('list', 'GET', listPath);
    const version = nonEmptyString(at(reply.tryValue(), 'metadata', 'resourceVersion'), `${reply.request}: version`);
    return { items: itemsOf(reply.tryValue()), version };
  };
  const names = operation.verb === 'watchOne' ? [storm.there] : storm.names;
  const before = await list();
  const start = stateOf(before.items, names);
  const begun = signal();
  const written = storm.rage(begun.give).then(async () => ({ items: (await list()).items, writes: storm.writes }));
  // where no write is acknowledged, nothing begins
  const underWay = Promise.race([begun.given, written]);
  const all = written.then(({ items, writes }): Outcome => ({ final: stateOf(items, names), writes }));
  const left = written.then(
    ({ items, writes }): Outcome => ({
      final: stateOf(
        items.filter((item) => sideOf(item) === 'left'),
        names,
      ),
      writes: seenFromTheLeft(writes, start.keys()),
    }),
  );
  const watched: Watched = { client, path: fill(operation.path, namespace, storm.there), names, outcome: all };
  // A list of a whole cluster may be long: there, what is watched from the beginning is the storm alone.
  const small = resource.namespaced ? operation.path.includes('{namespace}') : operation.verb === 'watchOne';
  const readers = [
    follow(watched, { resourceVersion: before.version }, { start }),
    followInParts(watched, before.version, start),
    follow(
      { ...watched, outcome: left },
      { resourceVersion: before.version, labelSelector: onTheLeft(storm.id) },
      { start },
    ),
    underWay.then(() => {
      const query = small ? {} : { labelSelector: inStorm(storm.id) };
      // Which state it begins with is the server's to choose, so which writes it tells shows only in what it tells.
      return follow(watched, query, { after: Number.POSITIVE_INFINITY });
    }),
    underWay.then(async () => {
      const middle = await list();
      const after = performance.now();
      const query = { resourceVersion: middle.version };
      return follow(watched, query, { start: stateOf(middle.items, names), after });
    }),
  ] as const;
  // One that fails must not leave the others behind, nor the writers.
  await Promise.allSettled([...readers, all, left]);
  const [steady, resumed, filtered, beginning, relisted] = await Promise.all(readers);
  await storm.end();
  return { steady, resumed, filtered, beginning, relisted, there: storm.there };
}

/** The path that lists what the form watches. */
function listedBy(operation: Operation, resource: Resource, namespace: string | undefined): string {
  const everywhere = operation.verb === 'watchAll' || operation.verb === 'listAll';
  return pathTo(resource, everywhere ? 'listAll' : 'list', namespace);
}

/** The objects of those names, as name → version. */
function stateOf(items: readonly JsonObject[], names: readonly string[]): State {
  const own = items.filter((item) => names.includes(String(at(item, 'metadata', 'name'))));
  return new Map(own.map(({ metadata }) => [String(at(metadata, 'name')), String(at(metadata, 'resourceVersion'))]));
}

/** Something that is given once, and waited for by many. */
function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
