// Watch: a stream that has every change exactly once.
import type { Chapter } from '../types.js';

const source = ['Events/1'] as const;

export const watch = {
  // Forms
  'list-form': {
    level: 'stated',
    source: [...source, 'Parameters/watch', 'Generic operation set/always LW'],
    text: 'A list path with watch=true returns a stream of the changes of the objects that it lists.',
    words:
      'A list operation with watch=true, or a path under a watch prefix, returns a stream of add, update and remove notifications for the selected objects',
    subjects: 'listForms',
  },
  'prefix-form': {
    level: 'stated',
    source: [
      ...source,
      'Generic operation set/watch list all namespaces',
      'Generic operation set/watch list in namespace',
      'Watch paths/response',
      'Watch paths/namespaced',
      'Watch paths/cluster forms',
    ],
    text: 'A path under the prefix watch returns a stream of the changes of its objects.',
    words:
      'A list operation with watch=true, or a path under a watch prefix, returns a stream of add, update and remove notifications for the selected objects',
    subjects: 'prefixForms',
  },
  'one-object': {
    level: 'stated',
    source: [
      'Generic operation set/watch one object',
      'Watch paths/namespaced',
      'Watch paths/namespace',
      'Watch paths/cluster forms',
    ],
    text: 'The watch of one object reports that object and no other.',
    words: 'watch one object | GET | P/watch/namespaces/{namespace}/{plural}/{name} | LW | none',
    subjects: 'objectForms',
  },
  'one-namespace': {
    level: 'stated',
    source: ['Generic operation set/watch list in namespace', 'Watch paths/namespaced'],
    text: 'A watch in a namespace reports no object of another namespace.',
    words: 'watch list in namespace | GET | P/watch/namespaces/{namespace}/{plural} | LW | none',
    subjects: 'namespacedForms',
  },
  'same-name': {
    level: 'stated',
    source: [...source, 'What the service does/3', 'Generic operation set/watch list all namespaces'],
    words: 'a stream of add, update and remove notifications for the selected objects',
    text: 'A watch across namespaces reports objects with one name in two namespaces as two objects.',
    subjects: 'acrossForms',
  },
  status: {
    level: 'stated',
    source: ['Watch paths/response', 'Conventions/1'],
    text: 'A watch that begins returns 200.',
    words: 'A successful operation returns HTTP 200 with description success',
    subjects: 'watchForms',
  },
  // Notifications
  added: {
    level: 'stated',
    source: [...source, 'What the service does/1'],
    text: 'A create is reported as an addition.',
    words: 'returns a stream of add, update and remove notifications for the selected objects',
    subjects: 'watchForms',
  },
  updated: {
    level: 'stated',
    source,
    text: 'A change is reported as an update.',
    words: 'returns a stream of add, update and remove notifications for the selected objects',
    subjects: 'watchForms',
  },
  removed: {
    level: 'stated',
    source,
    text: 'A delete is reported as a removal.',
    words: 'returns a stream of add, update and remove notifications for the selected objects',
    subjects: 'watchForms',
  },
  'event-envelope': {
    level: 'convention',
    source: ['Events/5'],
    text: 'An event is an object with a type and an object, and the types are ADDED, MODIFIED, DELETED, BOOKMARK and ERROR.',
    subjects: 'watchForms',
  },
  'event-object': {
    level: 'convention',
    source: ['Events/5'],
    text: 'The object of an event is the whole object, with its kind, its apiVersion and the resourceVersion of the change.',
    subjects: 'watchForms',
  },
  'event-fields': {
    level: 'stated',
    source: [...source, 'Fields that are stated/any object metadata.name'],
    words: 'any object | metadata.name | string | object name',
    text: 'The object of an event has the fields that the interface lists for its kind, with their types.',
    subjects: 'watchForms',
  },
  'event-schema': {
    level: 'convention',
    source: ['Events/5', 'Other rules/3'],
    text: 'The object of an event is valid by the JSON Schema of its kind.',
    subjects: 'watchForms',
  },
  'removed-last-state': {
    level: 'convention',
    source: ['Events/5'],
    text: 'The object of a removal is its last state, with the resourceVersion of the removal.',
    subjects: 'watchForms',
  },
  'collection-removals': {
    level: 'stated',
    source: [...source, 'Generic operation set/delete collection'],
    text: 'A delete-collection is reported as a removal of each object.',
    words: 'returns a stream of add, update and remove notifications for the selected objects',
    subjects: 'deleteCollections',
  },
  // Selection
  'filtered-labels': {
    level: 'stated',
    source: [...source, 'Parameters/labelSelector', 'Parameters/LW'],
    text: 'A watch with a labelSelector reports only the objects whose labels match.',
    words: 'returns a stream of add, update and remove notifications for the selected objects',
    subjects: 'selectedWatches',
  },
  'filtered-fields': {
    level: 'stated',
    source: [...source, 'Parameters/fieldSelector', 'Parameters/LW'],
    text: 'A watch with a fieldSelector reports only the objects whose fields match.',
    words: 'returns a stream of add, update and remove notifications for the selected objects',
    subjects: 'selectedWatches',
  },
  'filter-entered': {
    level: 'convention',
    source: ['Events/5', 'Parameters/labelSelector', 'Parameters/fieldSelector'],
    text: 'An object that begins to match is reported as ADDED.',
    subjects: 'selectedWatches',
  },
  'filter-left': {
    level: 'convention',
    source: ['Events/5', 'Parameters/labelSelector', 'Parameters/fieldSelector'],
    text: 'An object that ceases to match is reported as DELETED, with the resourceVersion of the change.',
    subjects: 'selectedWatches',
  },
  // Media types
  'core-type': {
    level: 'stated',
    source: ['Conventions/4 core watch paths', 'Watch paths/response'],
    text: 'A watch in the core group returns application/json.',
    words: 'Watch paths under /api/v1/watch: application/json',
    subjects: 'coreWatches',
  },
  'group-type': {
    level: 'stated',
    source: ['Conventions/4 group watch paths'],
    text: 'A watch in a group path returns application/json to a client that asks for it.',
    words:
      'Watch paths in the group paths: application/json, application/json;stream=watch, application/vnd.<vendor>.protobuf, application/vnd.<vendor>.protobuf;stream=watch',
    subjects: 'groupWatches',
  },
  'group-stream-type': {
    level: 'stated',
    source: ['Conventions/4 group watch paths', 'Events/3'],
    text: 'A watch in a group path returns JSON events to a client that asks for application/json;stream=watch.',
    words:
      'Watch paths in the group paths: application/json, application/json;stream=watch, application/vnd.<vendor>.protobuf, application/vnd.<vendor>.protobuf;stream=watch',
    subjects: 'groupWatches',
  },
  'yaml-refused': {
    level: 'convention',
    source: ['Conventions/4 group watch paths', 'Conventions/4 core watch paths'],
    text: 'A watch for a client that accepts only YAML is refused with 406.',
    subjects: 'watchAnswers',
  },
  framing: {
    level: 'convention',
    source: ['Events/5'],
    text: 'Each event is one JSON object that ends with a newline, however the response is split into chunks.',
    subjects: 'watchForms',
  },
  'headers-first': {
    level: 'convention',
    source,
    text: 'The head of the response is sent before the first event.',
    subjects: 'watchAnswers',
  },
  // Refusals and limits
  'too-old': {
    level: 'convention',
    source: ['Errors/1', 'Parameters/resourceVersion'],
    text: 'A watch from the first version reports every change since, or returns 200 and an ERROR event that holds a Status of code 410.',
    subjects: 'watchHistories',
  },
  'version-malformed': {
    level: 'convention',
    source: ['Errors/1', 'Parameters/resourceVersion'],
    text: 'A watch from a resourceVersion that is not a version is refused, and never a stream of changes.',
    subjects: 'watchAnswers',
  },
  'version-zero': {
    level: 'convention',
    source: ['Parameters/resourceVersion'],
    text: 'From resourceVersion 0 a watch starts with the existing objects.',
    subjects: 'watchHistories',
  },
  'named-read': {
    level: 'convention',
    source: ['Parameters/RD'],
    text: 'The path of one object with watch=true, outside the watch prefix, is a plain read.',
    subjects: 'reads',
  },
  // Needs of current clients
  bookmarks: {
    level: 'convention',
    source: ['Events/5'],
    text: 'With allowWatchBookmarks a watch sends BOOKMARK events with a version that a later watch can continue from.',
    subjects: 'bookmarkedWatches',
    feature: 'bookmarks',
  },
  'bookmarks-asked': {
    level: 'convention',
    source: ['Events/5'],
    text: 'A watch that did not ask for bookmarks gets none.',
    subjects: 'bookmarkedWatches',
  },
  'initial-events': {
    level: 'convention',
    source: ['Events/5'],
    text: 'With sendInitialEvents a watch reports every object, then a bookmark with k8s.io/initial-events-end.',
    subjects: 'initialEvents',
    feature: 'initial-events',
  },
  websocket: {
    level: 'convention',
    source: ['Events/5'],
    text: 'A watch over a WebSocket sends one event in each message.',
    subjects: 'webSocketWatches',
  },
} as const satisfies Chapter;
