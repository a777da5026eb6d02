// Servers that break watches.
import { type Broken, fault, faultsOf, notConformant, type WireEvent } from '../testing/faults/wire/fault.js';
import { change, drop, replacing, set, valueAt, where } from '../testing/faults/wire/objects.js';
import { anyStatus, replies, status } from '../testing/faults/wire/replies.js';
import { answer, every, header, ignore, ok, parameter, refuse, reread, reroute, withHeader } from '../testing/faults/wire/requests.js';
import { events, leaveOut, line, retype, told } from '../testing/faults/wire/watches.js';

const inNamespace = 'GET …/limitranges';
const prefixed = 'GET /api/v1/watch/namespaces/{namespace}/limitranges';
/** The watch of one object only. */
const ofOne = `${prefixed}/{name}`;
const endpoints = 'GET …/endpoints';
const secrets = 'GET /api/v1/watch/namespaces/{namespace}/secrets';
const jobs = 'GET /apis/batch/v1/watch/namespaces/{namespace}/jobs';

const watches = /\/watch\/|[?&]watch=true/;
const fromFirst = [watches, /[?&]resourceVersion=1(&|$)/];
const gone = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 };
/** Gives the objects of events of a type a very old version. */
const ages = (type: string): Broken => told(every, where('type', type, set('object.metadata.resourceVersion', '1')));
const nameOf = ({ type, object }: WireEvent) => `${type} ${valueAt(object, 'metadata.name')}`;
const keysOf = (labels: unknown): string[] => Object.keys(Object(labels));
const isNoError = (type: unknown): boolean => type !== 'ERROR';

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

const callsText = replies(watches, 200, ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } }));

export const faults = faultsOf(`watch in › ${prefixed}`, [
  // The objects of a watch
  fault('lists when it should watch', `list-form › ${inNamespace}`, [reroute(watches, 'watch=true', '')]),
  fault('takes the watch prefix for nothing', `prefix-form › ${prefixed}`, [reroute(watches, '/watch', '')]),
  fault('watches every namespace at once', 'one-namespace', [
    reroute(watches, /\/namespaces\/[^/]+\/limitranges\/([^?]+)\?/, '/limitranges?fieldSelector=metadata.name%3D$1&'),
    reroute(watches, /\/namespaces\/[^/]+\/limitranges\?/, '/limitranges?'),
  ]),
  fault('tells of one object of each name', 'same-name › GET /api/v1/limitranges', [
    events(every, (event, past) => (past.map(nameOf).includes(nameOf(event)) ? undefined : event)),
  ]),
  fault('watches all when it should watch one', 'one-object', [reroute(watches, /(limitranges)\/[^?]+/, '$1')]),
  fault('accepts a watch', `status › ${prefixed}`, [status(every, anyStatus, 202)]),
  // Events
  fault('reports ADDED as MODIFIED', `added › ${prefixed}`, [retype('ADDED', 'MODIFIED')]),
  fault('tells no updates', `updated › ${prefixed}`, [leaveOut(every, 'MODIFIED')]),
  fault('tells removals as updates', `removed › ${ofOne}`, [retype('DELETED', 'MODIFIED')]),
  fault('tells no removals', 'collection-removals › DELETE …/limitranges', [notConformant, leaveOut(every, 'DELETED')]),
  fault('says more in an event than its type and its object', 'event-envelope', [told(every, set('kind', 'WatchEvent'))]),
  fault('tells of objects without what is in them', 'event-object removed-last-state', [told(every, drop('object.spec'))]),
  fault('tells of objects without their kind', 'event-fields event-object removed-last-state', [
    told(every, where('type', isNoError, drop('object.kind', 'object.apiVersion'))),
  ]),
  fault('tells removals with a version from long ago', 'removed-last-state filter-left', [ages('DELETED')]),
  fault('writes events without lines', 'framing', [{ watch: () => (event) => [line(event).trimEnd()] }]),
  fault('leaves the namespace out of events', `event-fields › ${secrets}`, [told(every, drop('object.metadata.namespace'))]),
  fault('tells labels in events as a list', `event-schema › ${secrets}`, [told(every, change('object.metadata.labels', keysOf))]),
  // Selectors
  fault('watches whatever the labels are', 'filtered-labels filter-entered filter-left', [ignore('GET', 'labelSelector')]),
  fault('watches whatever the fields are', 'filtered-fields', [ignore('GET', 'fieldSelector')]),
  fault('does not tell what leaves a selection', 'filter-left', [leaveOut(/labelSelector/, 'DELETED')]),
  // The first object matches from its create.
  fault('tells what enters a selection as an update', 'filter-entered', [
    events(/labelSelector/, (event, past) => (past.length === 1 ? { ...event, type: 'MODIFIED' } : event)),
  ]),
  // The reply
  fault('says that events are text', `core-type in ${secrets}`, [callsText]),
  fault('says that the events of a group are text', `group-type › ${jobs}`, [callsText]),
  fault('does not know the type of a stream', `group-stream-type in ${jobs}/{name}`, [refuse(withHeader('accept', /stream=watch/), 406)]),
  fault('watches as JSON for those who want YAML', `yaml-refused in ${ofOne}`, [header(watches, 'accept', '*/*')]),
  fault('begins to answer with the first event', `headers-first › ${ofOne}`, [{ holdsHead: true }]),
  fault('watches when it should read', `named-read › ${inNamespace}`, [answer(watches, ok({ type: 'ADDED', object: {} }))]),
  fault('knows no WebSockets', `websocket › ${secrets}`, [refuse(withHeader('sec-websocket-key', /./), 400)]),
  // The version to start from
  fault('tells that the first version is gone', '', [answer(fromFirst, { ...ok(), body: line({ type: 'ERROR', object: gone }) })]),
  fault('answers that the first version is gone before it streams', 'too-old', [refuse(fromFirst, 410)]),
  fault('leaves out in silence what it has forgotten', 'too-old', [reread('GET', 'resourceVersion', replacing(/^1$/, '0'))]),
  fault('watches from anywhere for a version that is none', `version-malformed in ${ofOne}`, [ignore('GET', 'resourceVersion', /^\d+$/)]),
  fault('does not begin with what is there', `version-zero in ${ofOne}`, [leaveOut(/resourceVersion=0/, 'ADDED')]),
  fault('removes an object that follows a deleted one at once', '', [removesSuccessors()]),
  fault('bookmarks a version from long ago', `bookmarks › ${endpoints}`, [ages('BOOKMARK')]),
  fault('bookmarks every watch', `bookmarks-asked › ${endpoints}`, [parameter(/^GET .*\?/, 'allowWatchBookmarks', 'true')]),
  fault('does not know sendInitialEvents', 'initial-events › GET /api/v1/nodes', [ignore('GET', 'sendInitialEvents resourceVersionMatch')]),
]);
