// The servers behind the faults of the histories: each is right about a request alone, and wrong about several at once.
import { EventEmitter, once } from 'node:events';
import { isObject, itemsOf, type JsonObject } from '../client/json.js';
import { mergePatched } from '../objects/mergePatch.js';
import { type Broken, composed, type WireReply, type WireRequest } from '../testing/faults/wire/fault.js';
import { parsed, set, valueAt } from '../testing/faults/wire/objects.js';
import { replace, shown } from '../testing/faults/wire/replies.js';
import { every, failure, headed, instead, reply, withBody } from '../testing/faults/wire/requests.js';
import { events, line } from '../testing/faults/wire/watches.js';

const readsOne = /^GET .*\/namespaces\/[^/]+\/configmaps\/[^/?]+$/;
const lists = /^GET .*\/namespaces\/[^/]+\/configmaps\?labelSelector=[^&]*$/;
export const selected = /side/;
const isOne = ({ method, path }: WireRequest): boolean => readsOne.test(`GET ${path}`) && method !== 'GET';

/** Shows each object to readers as it was before the last write. */
export function readsLate(): Broken {
  const before = new Map<string, string>();
  const now = new Map<string, string>();
  return {
    reply(given, request) {
      const path = request.method === 'POST' ? objectPathOf({ ...request, body: given.body }) : request.path;
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

/** Turns a create of a name that is in use into a replace. */
export function createsOver(): Broken {
  const there = new Set<string>();
  return {
    request: (given) => {
      if (given.method === 'DELETE') there.delete(given.path);
      const path = objectPathOf(given);
      return given.method === 'POST' && there.has(path) ? { ...given, method: 'PUT', path } : given;
    },
    reply: (given, request) => {
      if (request.method === 'POST' && given.status < 300) there.add(objectPathOf(request));
      return given;
    },
  };
}

/** Changes the events of each watch that begins where another watch of the same objects was. */
export function resumed(change: (first: object) => readonly object[]): Broken {
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
export const claims = (given: WireReply, { body }: WireRequest): WireReply => {
  const made = parsed(body);
  const metadata = isObject(made.metadata) ? made.metadata : {};
  return { ...given, ...reply(200, { ...made, metadata: { ...metadata, uid: 'claimed', resourceVersion: '1' } }) };
};

/** Sends a write of a subresource to the object itself. */
export const toObject = (subresource: string, change: (body: JsonObject) => JsonObject): Broken =>
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

/** Generates one name for each prefix. A second create of it becomes a request of this method, after the first one. */
export function generates(method: 'GET' | 'PUT'): Broken {
  const asked = new Set<string>();
  const made = new Set<string>();
  const answers = new EventEmitter().setMaxListeners(0);
  const namedBy = ({ method, path, body: text }: WireRequest) => {
    const body = parsed(text);
    const prefix = method === 'POST' ? valueAt(body, 'metadata.generateName') : undefined;
    const name = `${prefix}zzzzz`;
    return prefix === undefined ? undefined : { name, path: `${path}/${name}`, body };
  };
  return {
    request: async (given) => {
      const named = namedBy(given);
      if (named === undefined) return given;
      const { name, path } = named;
      const body = JSON.stringify({ ...named.body, metadata: { ...(named.body.metadata as JsonObject), name } });
      if (!asked.has(path)) {
        asked.add(path);
        return { ...given, body };
      }
      if (!made.has(path)) await once(answers, path);
      return { ...given, method, path, body: method === 'GET' ? '' : body };
    },
    reply: (given, request) => {
      const path = namedBy(request)?.path;
      if (path !== undefined) {
        made.add(path);
        answers.emit(path);
      }
      return given;
    },
  };
}

/** Shows each object that is created again with the version of the first one of its name, until it changes. */
export function versionsGoBack(): Broken {
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

/** Refuses every nth create of a generated name after it has happened: a history needs its other objects. */
export function refusesEvery(times: number): Broken {
  const isNext = firstOf(times);
  return replace(
    withBody(/"generateName"/),
    (status) => status < 300,
    (given) => (isNext() ? { ...given, ...failure(403, 'Forbidden') } : given),
  );
}

/** Does not find one of so many objects that the histories read. */
export function findsEvery(times: number): Broken {
  const isNext = firstOf(times);
  return replace([readsOne, /race/], 200, (given) => (isNext() ? { ...given, ...failure(404) } : given));
}

/** Reads the object of the same name in the other namespace of a history, if there is one. */
export function readsOther(): Broken {
  const made = new Set<string>();
  return {
    reply(given, request) {
      if (request.method === 'POST' && given.status < 300) made.add(objectPathOf({ ...request, body: given.body }));
      return given;
    },
    ...instead(readsOne, ({ path }) => {
      const other = path.replace(/-(main|writers)\//, (_, one) => `-${one === 'main' ? 'writers' : 'main'}/`);
      return made.has(other) ? { path: other } : {};
    }),
  };
}

/** Answers each list with the body of the list of the same path before it. */
export function listsBefore(): Broken {
  const before = new Map<string, string>();
  return replace(lists, 200, (given, { path }) => {
    const body = before.get(path) ?? given.body;
    before.set(path, given.body);
    return { ...given, body };
  });
}

/** Returns the path of the object that a request reads or writes. */
const objectPathOf = ({ method, path, body }: WireRequest): string =>
  method === 'POST' ? `${path}/${valueAt(parsed(body), 'metadata.name')}` : (path.split('?')[0] ?? '');

const versionOf = (object: JsonObject | undefined): number =>
  Number(object === undefined ? 0 : valueAt(object, 'metadata.resourceVersion'));

/** Knows the objects of ConfigMaps by their paths, as the last writes left them and as they were before. */
function writtenObjects() {
  const now = new Map<string, JsonObject>();
  const before = new Map<string, JsonObject>();
  const note = (given: WireReply, request: WireRequest): WireReply => {
    const path = objectPathOf(request);
    if (!/\/configmaps\//.test(path) || request.method === 'GET') return given;
    const last = now.get(path);
    if (request.method === 'DELETE' && (given.status < 300 || given.status === 404)) {
      now.delete(path);
      if (last !== undefined && given.status < 300) before.set(path, last);
    } else if (given.status < 300) {
      // Answers to writes at once come in any order.
      const [newer, older] = [parsed(given.body), last].sort((one, other) => versionOf(other) - versionOf(one));
      if (newer !== undefined) now.set(path, newer);
      if (older !== undefined) before.set(path, older);
    }
    return given;
  };
  return { now, before, note };
}

/** Reads an object after a refused write from a cache that is one write behind. */
export function readsOldAfterRefusals(): Broken {
  const { before, note } = writtenObjects();
  const doubtful = new Set<string>();
  return {
    reply(given, request) {
      const path = objectPathOf(request);
      if (isOne(request) && given.status === 409) doubtful.add(path);
      if (!readsOne.test(`${request.method} ${request.path}`) || given.status !== 200) return note(given, request);
      const old = before.get(path);
      return doubtful.delete(path) && old !== undefined ? { ...given, body: JSON.stringify(old) } : given;
    },
  };
}

/** Shows the next reader what a write that is refused would have made. */
export function readsRefusedWrites(): Broken {
  const refused = new Map<string, string>();
  return {
    reply(given, request) {
      const path = objectPathOf(request);
      if (request.method === 'PUT' && given.status === 409)
        refused.set(path, JSON.stringify(set('metadata.resourceVersion', '99999999')(parsed(request.body))));
      if (!readsOne.test(`${request.method} ${request.path}`) || given.status !== 200) return given;
      const body = refused.get(path);
      refused.delete(path);
      return body === undefined ? given : { ...given, body };
    },
  };
}

/** The most milliseconds that a write waits for requests of others. */
const patience = 200;

/**
 * Makes each merge patch a replace of the object as it was last answered, whatever other clients write meanwhile: they
 * have two requests of time.
 */
export function losesPatches(): Broken {
  const { now, note } = writtenObjects();
  const arrivals = new EventEmitter().setMaxListeners(0);
  const twoMore = async (signal: AbortSignal): Promise<void> => {
    for (let left = 2; left > 0; left -= 1) await once(arrivals, 'request', { signal });
  };
  return {
    async request(given) {
      arrivals.emit('request');
      const isPatch = isOne(given) && /merge-patch\+json/.test(given.headers['content-type'] ?? '');
      const last = isPatch ? now.get(given.path) : undefined;
      if (last === undefined) return given;
      await twoMore(AbortSignal.timeout(patience)).catch(() => undefined);
      const { resourceVersion: _, ...metadata } = last.metadata as JsonObject;
      const body = JSON.stringify(mergePatched({ ...last, metadata }, parsed(given.body)));
      return { ...headed(given, 'content-type', 'application/json'), method: 'PUT', body };
    },
    reply: note,
  };
}

/** Lists the first object that was written twice as it was before the last write. */
export function listsTwoMoments(): Broken {
  const { before, note } = writtenObjects();
  const mixed = shown(lists, (body) => {
    const all = itemsOf(body);
    const olds = all.map(({ metadata }) => {
      const { namespace, name } = metadata as JsonObject;
      return before.get(`/api/v1/namespaces/${namespace}/configmaps/${name}`);
    });
    const first = olds.findIndex((old) => old !== undefined);
    return { ...body, items: all.map((item, index) => (index === first ? (olds[index] ?? item) : item)) };
  });
  return composed([{ reply: note }, mixed]);
}

/** Shows the objects of later pages as they are by then. */
export function pagesOfTwoMoments(): Broken {
  const { now, note } = writtenObjects();
  const later = shown(/[?&]continue=/, (body) => ({
    ...body,
    items: itemsOf(body).map((item) => {
      const { namespace, name } = item.metadata as JsonObject;
      const last = now.get(`/api/v1/namespaces/${namespace}/configmaps/${name}`);
      return last === undefined ? item : set('data', { later: 'page' })({ ...item });
    }),
  }));
  return composed([{ reply: note }, later]);
}

/** Says of each list that it is as old as the first of its objects. */
export const listsLaterThanSaid: Broken = shown(lists, (body) => {
  const versions = itemsOf(body).map((item) => Number(valueAt(item, 'metadata.resourceVersion')));
  return versions.length === 0 ? body : set('metadata.resourceVersion', String(Math.min(...versions) - 1))(body);
});

/** Lists objects once more after their removal. */
export function listsRemoved(): Broken {
  const { now, note } = writtenObjects();
  const removed: JsonObject[] = [];
  return {
    reply(given, request) {
      const last = request.method === 'DELETE' ? now.get(objectPathOf(request)) : undefined;
      note(given, request);
      if (last !== undefined) removed.push(last);
      if (!lists.test(`${request.method} ${request.path}`) || given.status !== 200) return given;
      const body = parsed(given.body);
      const there = new Set(itemsOf(body).map((item) => valueAt(item, 'metadata.name')));
      const gone = removed.filter(
        (item) =>
          request.path.includes(`/${valueAt(item, 'metadata.namespace')}/`) &&
          !there.has(valueAt(item, 'metadata.name')),
      );
      return { ...given, body: JSON.stringify({ ...body, items: [...itemsOf(body), ...gone] }) };
    },
  };
}

/** Answers every nth create as if the object were stored. */
export function forgetsCreates(times: number): Broken {
  const isNext = firstOf(times);
  return instead([/^POST .*\/configmaps$/, withBody(/"kube-api-conformance\/side"/)], ({ body }) => {
    const sent = parsed(body);
    const metadata = { ...(sent.metadata as JsonObject), uid: 'forgotten', resourceVersion: '88888888' };
    return isNext() ? reply(200, { ...sent, metadata }) : {};
  });
}

/** Leaves one of the objects of a collection. */
export function sparesOne(): Broken {
  let spared: string | undefined;
  return {
    request: (given) => {
      if (given.method === 'POST' && /\/configmaps$/.test(given.path)) spared = nameIn(given.body) ?? spared;
      if (given.method !== 'DELETE' || !/\/configmaps\?/.test(given.path) || spared === undefined) return given;
      return { ...given, path: `${given.path}&fieldSelector=${encodeURIComponent(`metadata.name!=${spared}`)}` };
    },
  };
}

const nameIn = (body: string): string | undefined => {
  const name = valueAt(parsed(body), 'metadata.name');
  return typeof name === 'string' ? name : undefined;
};

/** The events of a type have the value of a field that the event of the object before had. */
export const asBefore = (type: string, field: string): Broken =>
  events(every, (event, past) => {
    const before = past.findLast(
      ({ object }) => valueAt(object, 'metadata.name') === valueAt(event.object, 'metadata.name'),
    );
    const value = valueAt(before, field);
    return event.type === type && value !== undefined ? set(field, value)({ ...event }) : event;
  });

/** A thousand versions for each of the good server, of which other clients write a hundred. */
export function hasOtherClients(): Broken {
  const [versions, others] = [1000, 100];
  const asked = /(?<=resourceVersion=)\d+/;
  return {
    request: (given) => ({
      ...given,
      path: given.path.replace(asked, (version) => String(Math.floor(Number(version) / versions))),
    }),
    reply: (reply) => ({ ...reply, body: reply.body.replace(/"resourceVersion":"\d+/g, '$&000') }),
    watch: ({ path }) => {
      const from = Number(asked.exec(path)?.[0] ?? 0);
      const showsOthers = !/labelSelector=|\/watch\/.*\/configmaps\/[^?]/.test(path);
      return (event) => {
        if (event === undefined) return [];
        const last = Number(valueAt(event.object, 'metadata.resourceVersion')) * versions;
        const told = Array.from({ length: showsOthers ? others - 1 : 0 }, (_, index) => last - others + 1 + index);
        const foreign = (version: number): string =>
          line({
            type: 'ADDED',
            object: {
              ...event.object,
              metadata: { name: `other-${version}`, namespace: 'others', resourceVersion: String(version) },
            },
          });
        return [
          ...told.filter((version) => version > from).map(foreign),
          line(set('object.metadata.resourceVersion', String(last))({ ...event })),
        ];
      };
    },
  };
}

/** Loses events while more than five writes are under way. */
export function losesBursts(): Broken {
  let writing = 0;
  const count = (change: number, { method }: WireRequest): void => {
    if (method !== 'GET') writing += change;
  };
  return {
    request(given) {
      count(1, given);
      return given;
    },
    reply(given, request) {
      count(-1, request);
      return given;
    },
    watch: () => (event) => (event === undefined || writing > 5 ? [] : [line(event)]),
  };
}

/** Remembers so many events: a watch from an earlier version begins with the oldest of them, without a word. */
export function remembers(most: number): Broken {
  let told = 0;
  return {
    starting: () => {
      told = 0;
    },
    watch: () => {
      let forgotten = Math.max(0, told - most);
      return (event) => {
        if (event === undefined) return [];
        told += 1;
        forgotten -= 1;
        return forgotten >= 0 ? [] : [line(event)];
      };
    },
  };
}
