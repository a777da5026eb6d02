// Servers that break the watch chapter.
import type { JsonObject } from '../../support/json.js';
import { eachEvent, type Fault, failure, line, metadata, type Passing, reply, without } from './parts.js';
import { asks } from './selectors.js';

const inNamespace = '› GET /api/v1/namespaces/{namespace}/limitranges';
/** The watch of the collection, and of one object. */
const prefixed = '› GET /api/v1/watch/namespaces/{namespace}/limitranges';
/** The watch of one object alone. */
const ofOne = `${prefixed}/{name}`;
const endpoints = '› GET /api/v1/namespaces/{namespace}/endpoints';
const secrets = '› GET /api/v1/watch/namespaces/{namespace}/secrets';
const jobs = '› GET /apis/batch/v1/watch/namespaces/{namespace}/jobs';

/** Breaks what is judged on the watches of limit ranges: these requirements and no other of the chapter. */
const fails = (requirements: readonly string[], name: string, broken: Partial<Fault>): Fault => ({
  name,
  grep: prefixed,
  chapters: ['watch'],
  fails: requirements.map((requirement) => `watch.${requirement}`),
  ...broken,
});

/** Breaks one requirement, and perhaps others that are not looked at. */
const only = (requirement: string, where: string, name: string, broken: Partial<Fault>): Fault => ({
  name,
  grep: `watch.${requirement} ${where}`,
  fails: [`watch.${requirement}`],
  ...broken,
});

const renaming = (from: string, to: string): NonNullable<Fault['watch']> =>
  eachEvent((event) => (event.type === from ? { ...event, type: to } : event));
const dropping = (type: string, on: RegExp = /./): NonNullable<Fault['watch']> =>
  eachEvent((event, { path }) => (event.type === type && on.test(path) ? undefined : event));

const versioned = (object: JsonObject, resourceVersion: string): JsonObject => ({
  ...object,
  metadata: { ...metadata(object), resourceVersion },
});

const isWatch = ({ path }: Passing): boolean => /\/watch\/|[?&]watch=true/.test(path);
const fromFirst = ({ path }: Passing): boolean => /[?&]resourceVersion=1(&|$)/.test(path);

/** Another path for every watch. */
const watches = (change: (path: string) => string): Pick<Fault, 'request'> => ({
  request: (passing) => (isWatch(passing) ? { ...passing, path: change(passing.path) } : passing),
});

/** Another answer for the first version, which is gone. */
const forgets = (answer: ReturnType<NonNullable<Fault['request']>>): Pick<Fault, 'request'> => ({
  request: (passing) => (isWatch(passing) && fromFirst(passing) ? answer : passing),
});

const gone = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 };

const calledText: NonNullable<Fault['reply']> = (returning, passing) =>
  isWatch(passing) && returning.status === 200
    ? { ...returning, headers: { ...returning.headers, 'content-type': 'text/plain' } }
    : returning;

export const watchFaults: readonly Fault[] = [
  // What is watched
  only(
    'list-form',
    inNamespace,
    'lists when it should watch',
    watches((path) => path.replace('watch=true', '')),
  ),
  only(
    'prefix-form',
    prefixed,
    'takes the watch prefix for nothing',
    watches((path) => path.replace('/watch', '')),
  ),
  fails(
    ['one-namespace'],
    'watches every namespace at once',
    watches((path) =>
      path
        .replace(/\/namespaces\/[^/]+\/limitranges\/([^?]+)\?/, '/limitranges?fieldSelector=metadata.name%3D$1&')
        .replace(/\/namespaces\/[^/]+\/limitranges\?/, '/limitranges?'),
    ),
  ),
  only('same-name', '› GET /api/v1/limitranges', 'tells of one object of each name', {
    watch: () => {
      const told = new Set<unknown>();
      return (event) => {
        const key = event && `${event.type} ${metadata(event.object).name}`;
        const again = told.has(key);
        told.add(key);
        return [line(again ? undefined : event)];
      };
    },
  }),
  fails(
    ['one-object'],
    'watches all when it should watch one',
    watches((path) => path.replace(/(limitranges)\/[^?]+/, '$1')),
  ),
  only('status', prefixed, 'accepts a watch', { reply: (returning) => ({ ...returning, status: 202 }) }),
  // What is told
  only('added', prefixed, 'tells additions as updates', { watch: renaming('ADDED', 'MODIFIED') }),
  only('updated', prefixed, 'tells no updates', { watch: dropping('MODIFIED') }),
  only('removed', ofOne, 'tells removals as updates', { watch: renaming('DELETED', 'MODIFIED') }),
  only('collection-removals', '› DELETE /api/v1/namespaces/{namespace}/limitranges', 'tells no removals', {
    conformant: false,
    watch: dropping('DELETED'),
  }),
  fails(['event-envelope'], 'says more in an event than its type and its object', {
    watch: () => (event) => (event === undefined ? [] : [`${JSON.stringify({ ...event, kind: 'WatchEvent' })}\n`]),
  }),
  fails(['event-object', 'removed-last-state'], 'tells of objects without what is in them', {
    watch: eachEvent(({ type, object }) => ({ type, object: without(object, 'spec') })),
  }),
  fails(['event-fields', 'event-object', 'removed-last-state'], 'tells of objects without their kind', {
    watch: eachEvent((event) =>
      event.type === 'ERROR' ? event : { ...event, object: without(event.object, 'kind', 'apiVersion') },
    ),
  }),
  fails(['removed-last-state', 'filter-left'], 'tells removals with a version from long ago', {
    watch: eachEvent(({ type, object }) => ({ type, object: type === 'DELETED' ? versioned(object, '1') : object })),
  }),
  fails(['framing'], 'writes events without lines', {
    watch: () => (event) => [line(event).trimEnd()],
  }),
  // What is selected
  fails(['filtered-labels', 'filter-entered', 'filter-left'], 'watches whatever the labels are', {
    request: asks('GET', (query) => query.delete('labelSelector')),
  }),
  fails(['filtered-fields'], 'watches whatever the fields are', {
    request: asks('GET', (query) => query.delete('fieldSelector')),
  }),
  fails(['filter-left'], 'does not tell what leaves a selection', { watch: dropping('DELETED', /labelSelector/) }),
  fails(['filter-entered'], 'tells what enters a selection as an update', {
    // The first is selected from the beginning.
    watch: ({ path }) => {
      let count = 0;
      return (event) => {
        count += 1;
        return [line(event && count === 2 && path.includes('labelSelector') ? { ...event, type: 'MODIFIED' } : event)];
      };
    },
  }),
  // How it is answered
  fails(['core-type'], 'says that events are text', { grep: secrets, reply: calledText }),
  only('group-type', jobs, 'says that the events of a group are text', { reply: calledText }),
  {
    name: 'does not know the type of a stream',
    grep: `${jobs}/{name}`,
    chapters: ['watch'],
    fails: ['watch.group-stream-type'],
    request: (passing) => (/stream=watch/.test(passing.headers.accept ?? '') ? failure(406, 'NotAcceptable') : passing),
  },
  fails(['yaml-refused'], 'watches as JSON for those who want YAML', {
    grep: ofOne,
    request: (passing) => (isWatch(passing) ? { ...passing, headers: { ...passing.headers, accept: '*/*' } } : passing),
  }),
  only('headers-first', ofOne, 'begins to answer with the first event', { holdsHead: true }),
  only('named-read', inNamespace, 'watches when it should read', {
    request: (passing) => (isWatch(passing) ? reply(200, { type: 'ADDED', object: {} }) : passing),
  }),
  only('websocket', secrets, 'knows no WebSockets', {
    request: (passing) => ('sec-websocket-key' in passing.headers ? failure(400, 'BadRequest') : passing),
  }),
  // From which version
  fails(
    [],
    'tells that the first version is gone',
    forgets({ ...reply(200, {}), body: line({ type: 'ERROR', object: gone }) }),
  ),
  fails(['too-old'], 'answers that the first version is gone before it streams', forgets(failure(410, 'Expired'))),
  fails(['too-old'], 'leaves out in silence what it has forgotten', {
    request: asks('GET', (query) => query.get('resourceVersion') === '1' && query.set('resourceVersion', '0')),
  }),
  fails(['version-malformed'], 'watches from anywhere for a version that is none', {
    grep: ofOne,
    request: asks('GET', (query) => {
      if (!/^\d+$/.test(query.get('resourceVersion') ?? '')) query.delete('resourceVersion');
    }),
  }),
  fails(['version-zero'], 'does not begin with what is there', {
    grep: ofOne,
    watch: dropping('ADDED', /resourceVersion=0/),
  }),
  only('bookmarks', endpoints, 'bookmarks a version from long ago', {
    watch: eachEvent(({ type, object }) => ({ type, object: type === 'BOOKMARK' ? versioned(object, '1') : object })),
  }),
  only('bookmarks-asked', endpoints, 'bookmarks every watch', {
    request: asks('GET', (query) => query.set('allowWatchBookmarks', 'true')),
  }),
  only('initial-events', '› GET /api/v1/nodes', 'does not know sendInitialEvents', {
    request: asks('GET', (query) => {
      query.delete('sendInitialEvents');
      query.delete('resourceVersionMatch');
    }),
  }),
];
