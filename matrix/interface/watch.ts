// Section 12 of the interface: watch.
import type { Section } from './types.js';

export const watch = {
  number: 12,
  title: 'Watch',
  introduction:
    'A watch is a response that does not end: the server writes an event for each change of the selected objects. ' +
    'It is the only notification of this interface.',
  rules: [
    {
      number: '12.1',
      title: 'Two forms of a watch',
      text:
        'A list path with `watch=true`, and every path under the prefix `watch`, must return status 200 and a ' +
        'stream of the changes of the objects that the path and the selectors choose. `watch` is a boolean; with ' +
        '`watch=false`, or without it, a list path must return a list and end. `watch=1` and `watch=True` should ' +
        'mean `watch=true`, and `watch=False` should mean `watch=false`. The head of the response should come before ' +
        'the first event. Outside the prefix `watch`, the path of one object with `watch=true` should be a ' +
        'plain read.',
      why: 'Polling a cluster instead of watching it would overload every server.',
      sources: [
        'Parameters/watch',
        'Events/1',
        'Watch paths/response',
        'Generic operation set/watch list all namespaces',
      ],
    },
    {
      number: '12.2',
      title: 'Additions, updates and removals',
      text:
        'The stream must report a create as an addition, a change as an update and a delete as a removal, whichever ' +
        'operation caused it. A delete-collection must report the removal of each object.',
      why: 'A controller acts on what the stream says; a change that is not reported is not acted on.',
      sources: [],
    },
    {
      number: '12.3',
      title: 'Scope of a watch',
      text:
        'A watch in a namespace must report only objects of that namespace, and the watch of one object only that ' +
        'object.',
      why: 'A watcher with rights in one namespace must not learn of others.',
      sources: ['Generic operation set/watch list in namespace', 'Generic operation set/watch one object'],
    },
    {
      number: '12.4',
      title: 'Start of a watch',
      text:
        'With `resourceVersion` a watch must report exactly the changes after that version. Without it, the watch ' +
        'starts at the beginning of history: its first events must add up to what a list shows, and every later ' +
        'change must follow. With `resourceVersion=0` it should start with the objects that exist.',
      why: 'A client lists once, watches from the version of the list, and so misses nothing.',
      sources: ['Events/2'],
    },
    {
      number: '12.5',
      title: 'Completeness and order',
      text:
        'A watch must not lose a change, however many writers there are, and a watch that was interrupted must be ' +
        'able to continue from the last version that the client has seen. Events should come in the order of the ' +
        'changes, each once, each with the whole object of that version.',
      why: "A client's cache is only correct when it applies every change once, in order.",
      sources: [],
    },
    {
      number: '12.6',
      title: 'End of a watch',
      text:
        'A watch must end, on a whole event, when its `timeoutSeconds` are over and not before. Without the ' +
        "parameter it should continue until the server's own limit.",
      why: 'A client that cannot tell a clean end from a broken connection loses events.',
      sources: [],
    },
    {
      number: '12.7',
      title: 'Selectors on a watch',
      text:
        'A watch with a `labelSelector` or `fieldSelector` must report only objects that match. An object that ' +
        'begins to match must be reported as an addition, and one that ceases to match as a removal. The event ' +
        'should have the `resourceVersion` of the change.',
      why: "A Service's endpoints must lose a Pod as soon as its labels change.",
      sources: [],
    },
    {
      number: '12.8',
      title: 'Media types of a watch',
      text:
        'A watch of the core group must return `application/json`. A watch of the group paths must return ' +
        '`application/json`, `application/json;stream=watch`, `application/vnd.kubernetes.protobuf` or ' +
        '`application/vnd.kubernetes.protobuf;stream=watch`, as the client asks. A request that accepts only YAML ' +
        'should be refused with 406.',
      why: 'A client must know how the events of a stream are framed before it reads the first one.',
      sources: ['Conventions/4 group watch paths', 'Conventions/4 core watch paths', 'Events/3'],
    },
    {
      number: '12.9',
      title: 'Form of an event',
      text:
        'An event should be an object with `type` and `object`. The types are `ADDED`, `MODIFIED`, `DELETED`, ' +
        '`BOOKMARK` and `ERROR`. `object` must have the required fields of section 3, and should be the whole ' +
        'object; for a removal its last state with the version of the removal. In JSON each event should be one ' +
        'object that ends a line. Over a WebSocket each message should be one event.',
      why: 'Every client library parses events in exactly this form.',
      sources: ['Events/5'],
    },
    {
      number: '12.10',
      title: 'Versions that are too old or not understood',
      text:
        'A watch from a version that the server no longer has should return status 410, or 200 and an `ERROR` event ' +
        'that holds a `Status` of code 410. A `resourceVersion` that is not a version should be an error.',
      why: 'A client that gets 410 lists again; a client that gets nothing works with old data.',
      sources: [],
    },
    {
      number: '12.11',
      title: 'Bookmarks and initial events',
      text:
        'With `allowWatchBookmarks` a watch should send `BOOKMARK` events whose version a later watch can continue ' +
        'from, and without it none. With `sendInitialEvents` it should report every object and then a bookmark with ' +
        'the annotation `k8s.io/initial-events-end`.',
      why: 'Bookmarks spare a quiet watch the full list after it is cut.',
      sources: [],
    },
    {
      number: '12.12',
      title: 'Slow readers',
      text: 'A client that does not read its stream should delay no other watch and no writer.',
      why: 'One broken client must not stop the cluster.',
      sources: [],
    },
  ],
} as const satisfies Section;
