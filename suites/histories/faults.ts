// Servers that are right about each request alone, and wrong about several at once.
import { isObject, itemsOf, type JsonObject } from '../client/json.js';
import { type Broken, composed, fault, faultsOf, type WireReply, type WireRequest } from '../testing/faults/wire/fault.js';
import { drop, parsed, valueAt } from '../testing/faults/wire/objects.js';
import { replace, shown } from '../testing/faults/wire/replies.js';
import { answer, every, failure, ignore, instead, query, reply, sent, swallow } from '../testing/faults/wire/requests.js';
import { events, leaveOut, line } from '../testing/faults/wire/watches.js';

const maps = 'GET …/configmaps';
const deployments = 'GET /apis/extensions/v1beta1/namespaces/{namespace}/deployments';
const readsOne = /^GET .*\/namespaces\/[^/]+\/configmaps\/[^/?]+$/;
const lists = /^GET .*\/namespaces\/[^/]+\/configmaps\?labelSelector=[^&]*$/;
const selected = /side/;
const isOne = ({ method, path }: WireRequest): boolean => readsOne.test(`GET ${path}`) && method !== 'GET';

/** Shows each object to readers as it was before the last write. */
function readsLate(): Broken {
  const before = new Map<string, string>();
  const now = new Map<string, string>();
  return {
    reply(given, request) {
      const path = request.method === 'POST' ? `${request.path}/${valueAt(parsed(given.body), 'metadata.name')}` : request.path;
      if (request.method === 'DELETE') for (const each of [before, now]) each.delete(path);
      if (given.status > 299) return given;
      if (readsOne.test(`${request.method} ${request.path}`)) return { ...given, body: before.get(path) ?? given.body };
      if (request.method !== 'POST' && !isOne(request)) return given;
      const last = now.get(path);
      if (last !== undefined) before.set(path, last);
      now.set(path, given.body);
      return given;
    },
  };
}

/** Lists the first object as the list before had it. */
function listsTwoMoments(): Broken {
  const known = new Map<unknown, JsonObject>();
  return shown(lists, (body) => {
    const items = itemsOf(body).map((item, index) => {
      const name = valueAt(item, 'metadata.name');
      const before = known.get(name);
      known.set(name, item);
      return index === 0 && before !== undefined ? before : item;
    });
    return { ...body, items };
  });
}

/** Turns a create of a name that is in use into a replace. */
function createsOver(): Broken {
  const there = new Set<string>();
  const pathOf = ({ path, body }: WireRequest): string => `${path}/${valueAt(parsed(body), 'metadata.name')}`;
  return {
    request: (given) => {
      if (given.method === 'DELETE') there.delete(given.path);
      return given.method === 'POST' && there.has(pathOf(given)) ? { ...given, method: 'PUT', path: pathOf(given) } : given;
    },
    reply: (given, request) => {
      if (request.method === 'POST' && given.status < 300) there.add(pathOf(request));
      return given;
    },
  };
}

/** Changes the events of each watch that begins where another watch of the same objects was. */
function resumed(change: (first: object) => readonly object[]): Broken {
  const known = new Map<string, Set<string>>();
  return {
    watch: ({ path }) => {
      const version = /resourceVersion=(\d+)/.exec(path)?.[1] ?? '';
      const rest = path.replace(/resourceVersion=\d+/, '');
      const versions = known.get(rest) ?? new Set();
      known.set(rest, versions);
      const isResumed = versions.size > 0 && !versions.has(version) && !selected.test(path);
      versions.add(version);
      let isFirst = isResumed;
      return (event) => {
        if (event === undefined) return [];
        const told = isFirst ? change(event) : [event];
        isFirst = false;
        return told.map(line);
      };
    },
  };
}

/** Answers a create of a name that is in use as if it had created the object. */
const claims = (given: WireReply, { body }: WireRequest): WireReply => {
  const made = parsed(body);
  const metadata = isObject(made.metadata) ? made.metadata : {};
  return { ...given, ...reply(200, { ...made, metadata: { ...metadata, uid: 'claimed', resourceVersion: '1' } }) };
};

/** Sends a write of a subresource to the object itself. */
const toObject = (subresource: string, change: (body: JsonObject) => JsonObject): Broken =>
  instead([/^PATCH/, new RegExp(`/${subresource}$`)], ({ path, body }) => ({
    path: path.replace(`/${subresource}`, ''),
    body: JSON.stringify(change(parsed(body))),
  }));

const firstOf = (times: number): (() => boolean) => {
  let count = 0;
  return () => {
    count += 1;
    return count % times === 0;
  };
};

export const faults = faultsOf('histories', [
  // the order
  fault('tells a change twice, to every watcher', `order › ${maps}`, [
    events(every, (event) => (event.type === 'MODIFIED' ? [event, event] : event)),
  ]),
  fault('tells of an object again after its removal', `order › ${maps}`, [
    events(every, (event) => (event.type === 'DELETED' ? [event, { ...event, type: 'ADDED' }] : event)),
  ]),
  fault('answers a create of a name that is in use with success', `order › ${maps}`, [replace('POST', 409, claims)]),
  fault('answers a create with the object that it generated a name for before', `order › ${maps}`, [generates('GET')]),
  fault('ignores the preconditions of a delete among writes', `order › ${maps}`, [sent('DELETE', drop('preconditions'))]),
  fault('removes what the second part of a selector leaves out', `order › ${maps}`, [
    query(/^DELETE /, (given) => given.set('labelSelector', (given.get('labelSelector') ?? '').replace(/,.*/, ''))),
  ]),
  fault('gives a new object the version of the one of its name before', `order › ${maps}`, [versionsGoBack()]),
  // the effects
  fault('acknowledges deletes and forgets them', `effects › ${maps}`, [swallow('DELETE')]),
  fault('writes the spec with the status', `effects › ${deployments}`, [toObject('status', () => ({ spec: { paused: true } }))]),
  fault('drops the annotations of what it patches', `effects › ${maps}`, [sent('PATCH', drop('metadata.annotations'))]),
  // conflicts
  fault('lets a replace with an old version win', `conflicts › ${maps}`, [sent(/^PUT/, drop('metadata.resourceVersion', 'metadata.uid'))]),
  fault('creates over an object of the same name', `conflicts › ${maps}`, [createsOver()]),
  fault('writes over an object where it generates a name', `conflicts › ${maps}`, [generates('PUT')]),
  fault('refuses a replace with the current version', `conflicts › ${maps}`, [answer('PUT', failure(409, 'Conflict'))]),
  fault('stores writes that it refuses', `failed-writes › ${maps}`, [replace('PATCH', 200, 422)]),
  fault('gives up on a create that it has stored', `failed-writes › ${maps}`, [refusesEvery(3)]),
  // reads and lists
  fault('reads from a cache that is one write behind', `reads › ${maps}`, [readsLate()]),
  fault('does not find every second object that is read', `reads › ${maps}`, [findsEvery(2)]),
  fault('reads the object of that name in another namespace', `reads › ${maps}`, [
    instead(readsOne, ({ path }) => ({ path: path.replace(/-(main|writers)\//, (_, one) => `-${one === 'main' ? 'writers' : 'main'}/`) })),
  ]),
  fault('lists one object as it was before', `lists › ${maps}`, [listsTwoMoments()]),
  fault('answers a list with the list before it', `lists › ${maps}`, [listsBefore()]),
  fault('shows every later page without its first object', `pages › ${maps}`, [
    shown(/[?&]continue=/, (body) => ({ ...body, items: itemsOf(body).slice(1) })),
  ]),
  fault('shows the first page once more', `pages › ${maps}`, [
    shown(/[?&]limit=1(?!.*continue)/, (body) => ({ ...body, items: [...itemsOf(body), ...itemsOf(body)] })),
  ]),
  fault('lists the present for an earlier version', `exact-lists › ${maps}`, [
    query(/resourceVersionMatch=Exact/, (given) => {
      given.delete('resourceVersion');
      given.delete('resourceVersionMatch');
    }),
  ]),
  // watches
  fault('skips an event where a watch goes on', `watches › ${maps}`, [resumed(() => [])]),
  fault('repeats an event where a watch goes on', `watches › ${maps}`, [resumed((event) => [event, event])]),
  fault('does not tell selecting watchers what leaves', `selected-watches › ${maps}`, [leaveOut(selected, 'DELETED')]),
  fault('ignores the selector of watches from earlier versions', `selected-watches › ${maps}`, [
    ignore([/watch=true/, selected], 'labelSelector'),
  ]),
  fault('loses one event of hundreds', `burst › ${maps}`, [events(every, (event, past) => (past.length === 250 ? undefined : event))]),
]);

/** Generates one name for each prefix. A second create of it becomes a request of this method. */
function generates(method: 'GET' | 'PUT'): Broken {
  const made = new Set<string>();
  return {
    request: (given) => {
      const body = parsed(given.body);
      const prefix = given.method === 'POST' ? valueAt(body, 'metadata.generateName') : undefined;
      if (prefix === undefined) return given;
      const name = `${prefix}zzzzz`;
      const named = { ...given, body: JSON.stringify({ ...body, metadata: { ...(body.metadata as JsonObject), name } }) };
      const path = `${given.path}/${name}`;
      if (made.has(path)) return { ...named, ...(method === 'GET' && { body: '' }), method, path };
      made.add(path);
      return named;
    },
  };
}

/** Shows each object that is created again with the version of the first one of its name, until it changes. */
function versionsGoBack(): Broken {
  const first = new Map<unknown, unknown>();
  const edit = (object: JsonObject): JsonObject => {
    const { metadata } = object;
    if (!isObject(metadata)) return object;
    const { namespace, name, uid, resourceVersion } = metadata;
    const [key, version] = [`created ${namespace}/${name}`, `version ${uid}`];
    if (!first.has(version)) first.set(version, resourceVersion);
    if (!first.has(key)) first.set(key, resourceVersion);
    // only the state in which an object begins is shown with the former version
    return first.get(version) === resourceVersion
      ? { ...object, metadata: { ...metadata, resourceVersion: first.get(key) as string } }
      : object;
  };
  return composed([
    shown(/configmaps$/, (body) => (valueAt(body, 'metadata.uid') === undefined ? body : edit(body))),
    events(every, (event) => (event.type === 'ADDED' ? { ...event, object: edit(event.object) } : event)),
  ]);
}

/** Refuses every nth create after it has happened. */
function refusesEvery(times: number): Broken {
  const isNext = firstOf(times);
  return replace(
    'POST',
    (status) => status < 300,
    (given, { path }) => (/configmaps$/.test(path) && isNext() ? { ...given, ...failure(403, 'Forbidden') } : given),
  );
}

function findsEvery(times: number): Broken {
  const isNext = firstOf(times);
  return replace(readsOne, 200, (given) => (isNext() ? { ...given, ...failure(404) } : given));
}

/** Answers each list with the body of the list of the same path before it. */
function listsBefore(): Broken {
  const before = new Map<string, string>();
  return replace(lists, 200, (given, { path }) => {
    const body = before.get(path) ?? given.body;
    before.set(path, given.body);
    return { ...given, body };
  });
}
