// Servers that break watches.
import { itemsOf } from '../client/json.js';
import { type Broken, fault, faultsOf, notConformant, type WireEvent } from '../testing/faults/wire/fault.js';
import { selectsBy, showsMore } from '../testing/faults/wire/neighbours.js';
import { change, drop, isGiven, replacing, set, text, valueAt, where } from '../testing/faults/wire/objects.js';
import { anyStatus, replies, shown, status } from '../testing/faults/wire/replies.js';
import {
  answer,
  every,
  failure,
  header,
  ignore,
  instead,
  matches,
  not,
  ok,
  parameter,
  type Requests,
  refuse,
  reread,
  reroute,
  withHeader,
} from '../testing/faults/wire/requests.js';
import { events, leaveOut, line, retype, told } from '../testing/faults/wire/watches.js';

const inNamespace = 'GET …/limitranges';
const prefixed = 'GET /api/v1/watch/namespaces/{namespace}/limitranges';
/** The watch of one object only. */
const ofOne = `${prefixed}/{name}`;
const deployments = 'GET /apis/extensions/v1beta1/watch/namespaces/{namespace}/deployments';
const ingresses = 'GET /apis/extensions/v1beta1/watch/namespaces/{namespace}/ingresses';
const pods = 'GET /api/v1/watch/namespaces/{namespace}/pods';
const endpoints = 'GET …/endpoints';
const maps = 'GET …/configmaps';
const secrets = 'GET /api/v1/watch/namespaces/{namespace}/secrets';
const secretLists = 'GET …/secrets';
const jobs = 'GET /apis/batch/v1/watch/namespaces/{namespace}/jobs';

const watches = /\/watch\/|[?&]watch=true/;
/** Watches that begin with what is there. */
const ofAny = [watches, /[?&]resourceVersion=0(&|$)/];
/** Watches of labels in other forms than `key=value`. */
const byMore = /labelSelector=[^&]*(%21|%28)/;
const fromFirst = [watches, /[?&]resourceVersion=1(&|$)/];
const invented = { kind: 'LimitRange', apiVersion: 'v1', metadata: { name: 'never-been-there', resourceVersion: '1' } };
const timedOut = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Timeout', code: 504 };
const gone = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 };
/** Gives the objects of events of a type a very old version. */
const ages = (type: string): Broken => told(every, where('type', type, set('object.metadata.resourceVersion', '1')));
const nameOf = ({ type, object }: WireEvent) => `${type} ${valueAt(object, 'metadata.name')}`;
const keysOf = (labels: unknown): string[] => Object.keys(Object(labels));
const isNoError = (type: unknown): boolean => type !== 'ERROR';

const uidOf = (object: unknown) => valueAt(object, 'metadata.uid');
const lastOf = ({ object }: WireEvent, past: readonly WireEvent[]) => past.findLast((before) => uidOf(before.object) === uidOf(object));
const namespaceOf = ({ object }: WireEvent) => valueAt(object, 'metadata.namespace');
/** Reports whether two events are about objects of one name in two namespaces. */
const areNamesakes = (one: WireEvent, other: WireEvent): boolean =>
  valueAt(one.object, 'metadata.name') === valueAt(other.object, 'metadata.name') && namespaceOf(one) !== namespaceOf(other);
/** Reports whether an event is the addition of an object whose namesake was told before. */
const addsNamesake = (event: WireEvent, past: readonly WireEvent[]): boolean =>
  event.type === 'ADDED' && past.some((before) => areNamesakes(before, event));
/** Tells the addition of a namesake after the next update of the first object. */
const tellsNamesakesLate = (which: Requests): Broken =>
  events(which, (event, past) => {
    if (addsNamesake(event, past)) return undefined;
    const held = past.find((each, at) => areNamesakes(each, event) && addsNamesake(each, past.slice(0, at)));
    const isUpdate = (one: WireEvent): boolean => one.type === 'MODIFIED' && held !== undefined && areNamesakes(held, one);
    return held !== undefined && isUpdate(event) && !past.some(isUpdate) ? [event, held] : event;
  });
/** Reports whether a field of an object is not what it was in the event before. */
const differs = (event: WireEvent, past: readonly WireEvent[], field: string): boolean => {
  const before = lastOf(event, past);
  return (
    before !== undefined &&
    event.type === 'MODIFIED' &&
    JSON.stringify(valueAt(event.object, field)) !== JSON.stringify(valueAt(before.object, field))
  );
};
/** Leaves out the events that change a field. */
const changesOf = (field: string): Broken => events(every, (event, past) => (differs(event, past, field) ? undefined : event));
/** Leaves out the first of the events of an object for which this holds. */
const once = (is: (event: WireEvent) => boolean): Broken =>
  events(every, (event, past) => {
    const isBefore = past.some((before) => uidOf(before.object) === uidOf(event.object) && is(before));
    return is(event) && !isBefore ? undefined : event;
  });

/** Accepts so many WebSockets, and never counts one that is closed. */
function keepsSockets(most: number): Broken {
  let opened = 0;
  const refused = instead(withHeader('sec-websocket-key', /./), () => {
    opened += 1;
    return opened > most ? failure(500) : {};
  });
  const starting = (): void => {
    opened = 0;
  };
  return { ...refused, starting };
}

/** Watches one object as all whose names begin with its name. */
function watchesByBeginning(): Broken {
  const asked = /\/limitranges\/([^?]+)/;
  return {
    ...reroute(watches, asked, '/limitranges'),
    watch:
      ({ path }) =>
      (event) =>
        event === undefined || !String(valueAt(event.object, 'metadata.name')).startsWith(asked.exec(path)?.[1] ?? '') ? [] : [line(event)],
  };
}

/** Repeats a removal for each namespace that has an object of the name. */
function removesNamesakes(): Broken {
  return events(every, (event, past) => {
    const others = past.filter(({ object }) => valueAt(object, 'metadata.name') === valueAt(event.object, 'metadata.name'));
    const namespaces = new Set(others.map(({ object }) => String(valueAt(object, 'metadata.namespace'))));
    return event.type === 'DELETED' ? [...namespaces].map((namespace) => set('object.metadata.namespace', namespace)({ ...event })) : event;
  });
}

/** As a controller does that acts on a delete and finds the next object of that name: removes it. */
function removesSuccessors(): Broken {
  const deleted = new Map<string, number>();
  return {
    request(given) {
      const [path = ''] = given.path.split('?');
      if (given.method === 'DELETE') deleted.set(path, Date.now());
      if (given.method !== 'POST') return given;
      const sent = JSON.parse(given.body);
      const sinceDelete = Date.now() - (deleted.get(`${path}/${sent.metadata.name}`) ?? 0);
      return sinceDelete > 500 ? given : ok({ ...sent, metadata: { ...sent.metadata, uid: 'removed' } });
    },
  };
}

/** The first watch gets events, and all other watches get none. */
function tellsOne(): Broken {
  let watchers = 0;
  return {
    starting: () => {
      watchers = 0;
    },
    watch: () => {
      watchers += 1;
      const waits = watchers > 1;
      return (event) => (waits ? new Promise(() => {}) : [line(event)]);
    },
  };
}

/** Tells the events of these watches when they end. */
function holdsBack(which: Requests): Broken {
  return {
    watch: (request) => {
      const held: string[] = [];
      return (event) => {
        if (!matches(which, request)) return event === undefined ? [] : [line(event)];
        if (event === undefined) return held;
        held.push(line(event));
        return [];
      };
    },
  };
}

/** Does not end a watch that had an event in the second half of its time. */
function restartsTime(): Broken {
  return {
    watch: () => {
      const half = Date.now() + 500;
      let isLater = false;
      return (event) => {
        isLater ||= event !== undefined && Date.now() > half;
        return event === undefined && isLater ? new Promise(() => {}) : [line(event)];
      };
    },
  };
}

const callsText = replies(watches, 200, ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } }));

const ofWatches = faultsOf(`watch in › ${prefixed}`, [
  // The objects of a watch
  fault('lists when it should watch', `list-form › ${inNamespace}`, [reroute(watches, 'watch=true', '')]),
  ...['1', 'True'].map((spelling) =>
    fault(`does not understand watch=${spelling}`, 'spelling in watch.spelling › GET /api/v1/*/secrets', [
      parameter(new RegExp(`[?&]watch=${spelling}(&|$)`), 'watch', 'false'),
    ]),
  ),
  fault('takes watch=False for true', 'spelling in watch.spelling › GET /api/v1/*/secrets', [
    parameter(/[?&]watch=False/, 'watch', 'true'),
  ]),
  fault('takes the watch prefix for nothing', `prefix-form › ${prefixed}`, [reroute(watches, '/watch', '')]),
  fault('lists for watch=false under the watch prefix', `prefix-form › ${prefixed}`, [
    reroute([/\/watch\//, /[?&]watch=false/], '/watch/', '/'),
  ]),
  fault('watches every namespace at once', `scope › ${prefixed}`, [
    reroute(watches, /\/namespaces\/[^/]+\/limitranges\/([^?]+)\?/, '/limitranges?fieldSelector=metadata.name%3D$1&'),
    reroute(watches, /\/namespaces\/[^/]+\/limitranges\?/, '/limitranges?'),
  ]),
  fault('watches the namespaces whose names begin with the one asked for', `scope › ${prefixed}`, [
    showsMore('limitranges', (shown, asked) => shown.startsWith(asked), 'watches'),
  ]),
  fault('watches the objects whose names begin with the one asked for', `scope › ${ofOne}`, [watchesByBeginning()]),
  fault('tells of one object of each name', 'every-write › GET /api/v1/limitranges', [
    events(every, (event, past) => (past.map(nameOf).includes(nameOf(event)) ? undefined : event)),
  ]),
  fault('tells the removal of an object for its namesake too', 'scope › GET /api/v1/limitranges', [removesNamesakes()]),
  fault('tells nothing of a name after its removal', `every-write › ${ofOne}`, [
    events(every, (event, past) => (past.some(({ type }) => type === 'DELETED') ? undefined : event)),
  ]),
  fault('watches all when it should watch one', 'scope › GET /api/v1/watch/namespaces/{namespace}/limitranges/{name}', [
    reroute(watches, /(limitranges)\/[^?]+/, '$1'),
  ]),
  // Who writes, and how
  fault('tells nothing of the writes of other clients', `every-write › ${prefixed}`, [
    once(({ object }) => valueAt(object, 'metadata.annotations.kube-api-conformance/told') === 'another'),
  ]),
  fault('tells nothing of the writes of other users', `every-write › ${prefixed}`, [
    once(({ object }) => valueAt(object, 'metadata.annotations.kube-api-conformance/told') === 'user'),
  ]),
  fault('tells nothing of objects with generated names', `every-write › ${prefixed}`, [
    events(every, (event) => (valueAt(event.object, 'metadata.generateName') === undefined ? event : undefined)),
  ]),
  fault('tells no writes of a status', `every-write › ${ingresses}`, [changesOf('status')]),
  fault('tells no writes of a scale', `every-write › ${deployments}`, [changesOf('spec.replicas')]),
  fault('tells no bindings', `every-write › ${pods}`, [once(({ object }) => valueAt(object, 'spec.nodeName') !== undefined)]),
  fault('tells no finalizes', 'every-write › GET /api/v1/watch/namespaces', [changesOf('spec.finalizers')]),
  fault('tells no deletes that a finalizer holds', `every-write › ${prefixed}`, [
    once(({ type, object }) => type === 'MODIFIED' && valueAt(object, 'metadata.deletionTimestamp') !== undefined),
  ]),
  fault('tells no removals with the last finalizer', `every-write › ${prefixed}`, [
    events(every, (event, past) =>
      event.type === 'DELETED' &&
      past.some(({ object }) => uidOf(object) === uidOf(event.object) && valueAt(object, 'metadata.deletionTimestamp'))
        ? undefined
        : event,
    ),
  ]),
  fault('tells objects without what other clients noted on them', `one-state › ${prefixed}`, [
    told(every, drop('object.metadata.annotations')),
  ]),
  fault('loses events of more than 64 KiB', `every-write › ${maps}`, [
    events(every, (event) => (JSON.stringify(event).length < 65_536 ? event : undefined)),
  ]),
  fault('cuts texts of more than 64 KiB in events', `one-state › ${maps}`, [
    told(
      every,
      where(
        'object.data.large',
        isGiven,
        text('object.data.large', (large) => large.slice(0, 65_536)),
      ),
    ),
  ]),
  fault('tells what is new in another namespace late', 'one-state › GET /api/v1/limitranges', [tellsNamesakesLate(/\/v1\/limitranges\?/)]),
  fault('tells the writes of a status twice', `one-state › ${ingresses}`, [
    events(every, (event, past) => (differs(event, past, 'status') ? [event, event] : event)),
  ]),
  fault('accepts a watch', `status › ${prefixed}`, [status(every, anyStatus, 202)]),
  // Events
  fault('reports ADDED as MODIFIED', `added › ${prefixed}`, [retype('ADDED', 'MODIFIED')]),
  fault('tells no updates', `updated › ${prefixed}`, [leaveOut(every, 'MODIFIED')]),
  fault('tells removals as updates', `removed › ${ofOne}`, [retype('DELETED', 'MODIFIED')]),
  fault('tells no removals', 'collection-removals › DELETE …/limitranges', [notConformant, leaveOut(every, 'DELETED')]),
  fault('says more in an event than its type and its object', 'event-envelope', [told(every, set('kind', 'WatchEvent'))]),
  fault('tells of objects without what is in them', 'event-object one-state removed-last-state', [told(every, drop('object.spec'))]),
  fault('tells of objects without their kind', 'event-fields event-object one-state removed-last-state', [
    told(every, where('type', isNoError, drop('object.kind', 'object.apiVersion'))),
  ]),
  fault('tells removals with the version of the change before', 'removed-last-state filter-versions', [
    events(every, (event, past) => {
      const before = valueAt(lastOf(event, past), 'object.metadata.resourceVersion');
      return event.type === 'DELETED' && before !== undefined ? set('object.metadata.resourceVersion', before)({ ...event }) : event;
    }),
  ]),
  fault('tells removals with a version from long ago', 'removed-last-state filter-versions', [ages('DELETED')]),
  fault('writes events without lines', 'framing', [{ watch: () => (event) => [line(event).trimEnd()] }]),
  fault('leaves the namespace out of events', `event-fields › ${secrets}`, [told(every, drop('object.metadata.namespace'))]),
  fault('tells labels in events as a list', `event-schema › ${secrets}`, [told(every, change('object.metadata.labels', keysOf))]),
  // Selectors
  fault('watches whatever the labels are', 'filtered-labels filtered-fields filter-entered filter-left filter-versions', [
    ignore('GET', 'labelSelector'),
  ]),
  fault('watches whatever the fields are', 'filtered-fields', [ignore('GET', 'fieldSelector')]),
  fault('watches names by their beginning', 'filtered-fields', [
    selectsBy(watches, 'fieldSelector', (value, asked) => value.startsWith(asked)),
  ]),
  fault('watches labels by the beginning of a value', 'filtered-labels filtered-fields filter-entered filter-left filter-versions', [
    selectsBy(watches, 'labelSelector', (value, asked) => value.startsWith(asked)),
  ]),
  fault('watches everything where labels are selected by more than equality', 'filtered-labels filter-entered filter-left', [
    ignore(watches, 'labelSelector', /^[^!() ]+$/),
  ]),
  fault('begins a watch whatever the labels are', 'filtered-labels', [ignore(ofAny, 'labelSelector')]),
  fault('begins a watch whatever the fields are', 'filtered-fields', [ignore(ofAny, 'fieldSelector')]),
  fault('begins a watch whatever label must be there', 'filtered-labels', [
    reread(ofAny, 'labelSelector', replacing(/,kube-api-conformance\/last$/, '')),
  ]),
  fault('begins a watch whatever field must differ', 'filtered-fields', [ignore([...ofAny, /%21%3D/], 'fieldSelector')]),
  fault('watches the first of several values', 'filtered-labels filter-entered filter-left', [
    reread(
      watches,
      'labelSelector',
      replacing(/in \(([^,)]*),[^)]*\)/, (_, first) => `in (${first})`),
    ),
  ]),
  fault('watches nothing by ==', 'filtered-labels filter-entered filter-left', [events(/labelSelector=[^&]*%3D%3D/, () => undefined)]),
  fault('watches nothing where its labelSelector is empty', 'filtered-fields', [events(/[?&]labelSelector=(&|$)/, () => undefined)]),
  fault('watches nothing where its fieldSelector is empty', 'filtered-labels filter-entered filter-left', [
    events(/[?&]fieldSelector=(&|$)/, () => undefined),
  ]),
  fault('tells what leaves a selection by equality alone', 'filter-left', [leaveOut(byMore, 'DELETED')]),
  fault('tells what enters a selection by more than equality as an update', 'filter-entered', [
    told(byMore, where('type', 'ADDED', set('type', 'MODIFIED'))),
  ]),
  fault('tells nothing that leaves labels and fields at once', 'filter-left', [leaveOut(/labelSelector=.*fieldSelector=/, 'DELETED')]),
  fault('does not tell which Pods leave a phase', 'filter-left filter-versions in watch.filter*namespaces/{namespace}/pods', [
    leaveOut(/fieldSelector=status/, 'DELETED'),
  ]),
  fault('tells which Pods enter a phase as an update', 'filter-entered › GET …/pods', [
    told(/fieldSelector=status/, where('type', 'ADDED', set('type', 'MODIFIED'))),
  ]),
  fault('watches the labels alone where fields are selected too', 'filtered-fields', [ignore([watches, /labelSelector/], 'fieldSelector')]),
  fault('watches the fields alone where labels are selected too', 'filtered-fields filter-entered filter-left', [
    ignore([watches, /fieldSelector=[^&]/], 'labelSelector'),
  ]),
  fault('tells nothing of a selected name after its removal', 'filtered-fields', [
    events(/fieldSelector=metadata\.name/, (event, past) => (past.some(({ type }) => type === 'DELETED') ? undefined : event)),
  ]),
  fault('watches every namespace where one is selected by a field', 'filtered-fields › GET /api/v1/limitranges', [
    ignore(/fieldSelector=metadata\.namespace/, 'fieldSelector'),
  ]),
  fault('does not tell what leaves a selection', 'filter-left filter-versions', [notConformant, leaveOut(/labelSelector/, 'DELETED')]),
  // The first object matches from its create.
  fault('tells what enters a selection as an update', 'filter-entered', [
    notConformant,
    events(/labelSelector/, (event, past) => (past.length === 1 && event.type === 'ADDED' ? { ...event, type: 'MODIFIED' } : event)),
  ]),
  fault('tells what leaves a selection as an update', 'filter-left', [
    notConformant,
    events(/labelSelector/, (event) => (event.type === 'DELETED' ? { ...event, type: 'MODIFIED' } : event)),
  ]),
  // The reply
  fault('says that events are text', `core-type in ${secrets}`, [callsText]),
  fault('says that the events of a group are text', `group-type › ${jobs}`, [callsText]),
  fault('holds events back for those who accept gzip', `core-type in ${secrets}`, [holdsBack(withHeader('accept-encoding', /gzip/))]),
  fault('does not know the type of a stream', `group-stream-type in ${jobs}/{name}`, [refuse(withHeader('accept', /stream=watch/), 406)]),
  fault('watches as JSON for those who want YAML', `yaml-refused in ${ofOne}`, [header(watches, 'accept', '*/*')]),
  fault('watches no namespace that does not exist', `headers-first › ${maps}`, [
    refuse([watches, /\/namespaces\/[^/]+-\d+\/configmaps/], 404),
  ]),
  fault('begins to answer with the first event', `headers-first › ${ofOne}`, [{ holdsHead: true }]),
  fault('watches when it should read', `named-read › ${inNamespace}`, [answer(watches, ok({ type: 'ADDED', object: {} }))]),
  fault('wants one word in Connection for a WebSocket', `websocket › ${secrets}`, [refuse(withHeader('connection', /,/), 400)]),
  fault('knows no WebSockets', `websocket › ${secrets}`, [refuse(withHeader('sec-websocket-key', /./), 400)]),
  fault('does not end a WebSocket when its time is over', 'websocket-ends › GET …/secrets', [
    ignore(withHeader('sec-websocket-key', /./), 'timeoutSeconds'),
  ]),
  fault('accepts no more WebSockets after a few were closed', 'websocket-closed › GET …/secrets', [keepsSockets(4)]),
  // The version to start from
  fault('says that a list is as old as the newest of its objects', 'from-list › GET …/secrets', [
    shown(/^GET .*\/secrets\?/, (body) => {
      const versions = itemsOf(body).map((item) => Number(valueAt(item, 'metadata.resourceVersion')));
      return versions.length === 0 ? body : set('metadata.resourceVersion', String(Math.max(...versions)))({ ...body });
    }),
  ]),
  fault('begins a watch with the objects of every namespace', `version-zero › ${secretLists}`, [
    reroute(ofAny, /\/namespaces\/[^/]+(?=\/secrets)/, ''),
  ]),
  fault('begins a watch of one object with all', `version-zero › ${secrets}/{name}`, [reroute(ofAny, /(secrets)\/[^?]+/, '$1')]),
  fault('begins a watch without a version with what comes', `version-zero in version-zero*${ofOne}`, [
    leaveOut(not(/[?&]resourceVersion=/), 'ADDED'),
  ]),
  fault('tells that the first version is gone', '', [answer(fromFirst, { ...ok(), body: line({ type: 'ERROR', object: gone }) })]),
  fault('tells that the first version is gone without the reason', 'too-old', [
    answer(fromFirst, { ...ok(), body: line({ type: 'ERROR', object: { ...gone, reason: '' } }) }),
  ]),
  fault('answers that the first version is gone before it streams', 'too-old', [refuse(fromFirst, 410)]),
  fault('tells a change that it has forgotten before it says so', 'too-old', [
    answer(fromFirst, { ...ok(), body: `${line({ type: 'ADDED', object: invented })}${line({ type: 'ERROR', object: gone })}` }),
  ]),
  fault('leaves out in silence what it has forgotten', 'too-old', [reread('GET', 'resourceVersion', replacing(/^1$/, '0'))]),
  fault('watches from anywhere for a version that is none', `version-malformed in ${ofOne}`, [ignore('GET', 'resourceVersion', /^\d+$/)]),
  fault('does not begin with what is there', `version-zero in ${ofOne}`, [leaveOut(/resourceVersion=0/, 'ADDED')]),
  fault('removes an object that follows a deleted one at once', '', [removesSuccessors()]),
  // The end of a stream, and its readers
  fault('ends a watch with an ERROR when its time is over', `bounded › ${maps}`, [
    { watch: () => (event) => [line(event ?? { type: 'ERROR', object: timedOut })] },
  ]),
  fault('does not end a watch when its time is over', `bounded › ${maps}`, [ignore(watches, 'timeoutSeconds')]),
  fault('counts the time of a watch in milliseconds of 32 bits', `bounded › ${maps}`, [
    answer([watches, /timeoutSeconds=2147483647/], { ...ok(), body: '' }),
  ]),
  fault('counts the time of a watch from its last event', `bounded › ${maps}`, [restartsTime()]),
  fault('breaks a watch off in the middle of an event when its time is over', `bounded › ${maps}`, [
    { watch: () => (event) => [event === undefined ? '{"type":"ADDED","obj' : line(event)] },
  ]),
  fault('ends a watch that asked for no time at once', 'unbounded › GET /api/v1/', [
    answer([/\/watch\//, not(/timeoutSeconds/)], { ...ok(), body: '' }),
  ]),
  fault('tells one watcher at a time', 'slow-reader › ', [tellsOne()]),
  fault('bookmarks a version from long ago', `bookmarks › ${endpoints}`, [ages('BOOKMARK')]),
  fault('bookmarks every watch', `bookmarks-asked › ${endpoints}`, [parameter(/^GET .*\?/, 'allowWatchBookmarks', 'true')]),
  fault('tells nothing after a bookmark', `bookmarks › ${endpoints}`, [
    events(every, (event, past) => (past.some(({ type }) => type === 'BOOKMARK') ? undefined : event)),
  ]),
  fault('tells nothing after the initial events', 'initial-events › GET /api/v1/nodes', [
    events(/sendInitialEvents=true/, (event, past) => (past.some(({ type }) => type === 'BOOKMARK') ? undefined : event)),
  ]),
  fault('begins with all objects where initial events are selected', 'initial-events › GET /api/v1/nodes', [
    ignore(/sendInitialEvents=true/, 'labelSelector'),
  ]),
  fault('ends a watch with its initial events by an ERROR', 'initial-events › GET /api/v1/nodes', [
    answer(/sendInitialEvents=/, { ...ok(), body: line({ type: 'ERROR', object: { message: 'an error on the server' } }) }),
  ]),
  fault('ends its initial events with a version from long ago', 'initial-events › GET /api/v1/nodes', [
    told(/sendInitialEvents=/, where('type', 'BOOKMARK', set('object.metadata.resourceVersion', '1'))),
  ]),
  fault('says that its storage cannot tell how far it is', '', [
    answer(/sendInitialEvents=/, {
      ...ok(),
      body: line({ type: 'ERROR', object: { message: 'the required storage feature RequestWatchProgress is disabled' } }),
    }),
  ]),
  fault('says that initial events are disabled', '', [
    answer(/sendInitialEvents=/, {
      ...failure(422),
      body: JSON.stringify({
        kind: 'Status',
        message: 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      }),
    }),
  ]),
  fault('refuses initial events', 'initial-events › GET /api/v1/nodes', [answer(/sendInitialEvents=/, failure(422))]),
  fault('does not know sendInitialEvents', 'initial-events › GET /api/v1/nodes', [ignore('GET', 'sendInitialEvents resourceVersionMatch')]),
]);

/** Watches that show less of an object than the write of another chapter stored. */
const ofWrites = faultsOf(
  'watch',
  [
    fault('tells watches of what is new without its spec', 'create.effect-watch create.one-state in create.*/services', [
      told(/services/, drop('object.spec')),
    ]),
    fault('tells watches of what is replaced without its spec', 'replace.effect-watch replace.one-state in replace.*/services', [
      told(/services/, drop('object.spec')),
    ]),
    fault('tells watches of what is replaced without its annotations', 'replace.effect-watch replace.one-state in replace.*/secrets', [
      told(/secrets/, drop('object.metadata.annotations')),
    ]),
    fault('tells watches of what is replaced without its data', 'replace.effect-watch replace.one-state in replace.*/configmaps', [
      told(/configmaps/, drop('object.data')),
    ]),
    fault('tells watches of what is patched without its annotations', 'patch.effect-watch in patch.effect-watch*/secrets', [
      told(/secrets/, drop('object.metadata.annotations')),
    ]),
    fault('tells watches of what is patched without its data', 'patch.effect-watch in patch.effect-watch*/secrets', [
      told(/secrets/, drop('object.data')),
    ]),
  ],
  ['create', 'replace', 'patch'],
);

export const faults = [...ofWatches, ...ofWrites];
