// What tests do to a server while it runs.
import type { Resource } from '../../../matrix/api/index.js';
import type { Addon, ServerParts } from '../../addons.js';
import type { Cluster } from '../../cluster.js';
import type { ApiResponse } from '../../edge/locals.js';
import { boolean, filled, requireFields } from '../../fieldChecks.js';
import { OptionError } from '../../optionValues.js';
import type { KubeObject } from '../../schema/object.js';
import { keyOf, prefixOf, storageResource } from '../../versions/addresses.js';
import { toVersion } from '../../versions/views.js';
import { factsOf } from '../requests/facts.js';
import { testClock } from './clock.js';
import { type Disturbance, Disturbances } from './disturbances.js';
import { delayOf, failureOf } from './failures.js';
import { loadObjects } from './fixtures.js';
import { type JournalOptions, noJournal, RequestRecorder } from './journal.js';
import { matchChecks, requestMatcherOf, type Served } from './match.js';
import { ObjectSnapshot } from './objects.js';
import { resourceNamed } from './resourceNames.js';
import type { Delay, Failure, Rule, Snapshot, TestControls, TestObject, WatchCut } from './surface.js';
import { whileOpen } from './whileOpen.js';

/** The key that a compaction writes, as the one of real servers in etcd. No resource has it. */
const compactionKey = 'compaction';

const cutChecks = { resource: matchChecks.resource, namespace: filled, user: filled, reset: boolean };
const keyChecks = { name: filled, namespace: filled };

const guardedNames = [
  ...(['fail', 'delay', 'cutWatches', 'compact', 'load', 'snapshot', 'restore', 'reset', 'settled'] as const),
  ...(['get', 'objects'] as const),
];

/** The controls, for the code that starts the server. */
export interface Controls extends TestControls {
  /** Remembers the present state as the one that `reset` returns to. */
  markStart(): Promise<void>;
  /** Ends waits for requests, and makes all functions refuse: called when the close of the server begins. */
  end(): void;
}

/** What tests do to one server: the addon, and the controls once the server has started. */
export interface ControlAddon extends Addon {
  /** Undefined if the option `handlers` replaces the server's own. */
  readonly controls: Controls | undefined;
}

/** Makes the controls of a server. `requests` says whether it records requests, and how many. */
export function controlled(requests: boolean | JournalOptions): ControlAddon {
  let controls: Controls | undefined;
  return {
    serve(server) {
      const { cluster, observers } = server;
      if (cluster === undefined) return {};
      const options = requests === true ? {} : requests;
      const journal = options === false ? undefined : new RequestRecorder(servedBy(server), cluster.now, options);
      if (journal !== undefined) observers.add(journal);
      controls = createControls(server, cluster, journal);
      return { close: () => controls?.end() };
    },
    get controls() {
      return controls;
    },
  };
}

function servedBy({ surface, options: { componentTokens = [] } }: ServerParts): Served {
  return {
    get resources() {
      return surface.resources;
    },
    get operations() {
      return surface.operations;
    },
    components: new Set(componentTokens.map(({ user }) => user.name)),
  };
}

function createControls(parts: ServerParts, cluster: Cluster, journal: RequestRecorder | undefined): Controls {
  const { surface, handlers, lifetimes } = parts;
  const served = servedBy(parts);
  const { registry, storage, activity } = cluster;
  const disturbances = new Disturbances(handlers, () => storage.revision());
  const clock = testClock(cluster.clock);
  const settled = (): Promise<void> => activity.settled(storage);
  let isClosed = false;
  const guarded = <Members extends object>(members: Members, names: readonly (keyof Members & string)[], prefix = '') =>
    whileOpen(members, names, () => isClosed, prefix);
  let start: ObjectSnapshot | undefined;
  const restore = async (snapshot: Snapshot): Promise<void> => {
    if (!(snapshot instanceof ObjectSnapshot) || !snapshot.isOf(storage))
      throw new OptionError('restore: give a snapshot of this server, from its snapshot()');
    await settled();
    await snapshot.restore();
    await settled();
  };
  const rule = (disturbance: Disturbance): Rule => {
    const remove = disturbances.add(disturbance);
    return {
      get calls() {
        return disturbance.calls;
      },
      remove,
      [Symbol.dispose]: remove,
    };
  };
  const controls: Controls = {
    clock: guarded(clock, ['advance', 'set', 'reset'], 'clock.'),
    requests: guarded(journal ?? noJournal, ['list', 'clear', 'waitFor'], 'requests.'),
    settled,
    restore,
    end() {
      isClosed = true;
      journal?.close();
    },
    fail: (failure: Failure) => rule(failureOf(failure, served)),
    delay: (delay: Delay) => rule(delayOf(delay, served)),
    load: (objects, options = {}) => loadObjects(objects, options, { served: surface, registry, storage, settled }),
    snapshot: () => ObjectSnapshot.take(storage),

    async markStart() {
      await settled();
      start = await ObjectSnapshot.take(storage);
    },

    cutWatches(cut: WatchCut = {}) {
      requireFields('cutWatches', cut, cutChecks);
      const { reset = false, ...match } = cut;
      const matches = requestMatcherOf('cutWatches', { ...match, verb: 'watch' }, served);
      const isMeant = ({ req, locals }: ApiResponse): boolean => matches(factsOf(req, locals));
      return lifetimes.end((response) => isMeant(response as ApiResponse), reset);
    },

    async compact() {
      const { entry } = await storage.guaranteedUpdate(compactionKey, () => ({ put: { metadata: {} } }));
      await storage.compact(entry.revision);
    },

    async reset() {
      disturbances.clear();
      await clock.reset();
      if (start !== undefined) await restore(start);
      journal?.clear();
    },

    async get(name, object, namespace) {
      const resource = resourceNamed('get', name, served.resources);
      requireFields('get', { name: object, namespace }, keyChecks);
      if (object === undefined) throw new OptionError(`get: give the name of one of the ${name}; objects returns all`);
      requireScope('get', resource, namespace);
      const entry = await storage.get(keyOf(storageResource(resource), namespace ?? 'default', object));
      return entry && shown(resource, entry.value);
    },

    async objects(name, namespace) {
      const resource = resourceNamed('objects', name, served.resources);
      requireFields('objects', { namespace }, keyChecks);
      requireScope('objects', resource, namespace);
      const prefix = prefixOf(storageResource(resource), resource.namespaced ? namespace : undefined);
      const { entries } = await storage.list(prefix);
      return entries.map(({ value }) => shown(resource, value));
    },
  };
  return guarded(controls, guardedNames);
}

/** Throws an OptionError for the namespace of a resource that is in none. */
function requireScope(what: string, { plural, namespaced }: Resource, namespace: string | undefined): void {
  if (namespace !== undefined && !namespaced)
    throw new OptionError(`${what}: namespace: ${plural} are in no namespace: leave it out`);
}

/** A copy of a stored object in the version of a resource: the stored one is shared. */
function shown(resource: Resource, stored: KubeObject): TestObject {
  return structuredClone(toVersion(resource, stored));
}
