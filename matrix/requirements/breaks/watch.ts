// The consequences for clients if a requirement of the chapter watch is violated.
import type { Breaks } from './types.js';

export const watch = [
  [['list-form', 'prefix-form'], 'A controller gets no stream and never reacts to changes.'],
  [['one-object'], 'A client that waits for one object is woken by others, or never.'],
  [['one-namespace'], 'A watcher with rights in one namespace learns what happens in others.'],
  [['same-name'], 'A cache merges two objects of different namespaces into one.'],
  [['status'], 'A client library treats a running watch as an error and reconnects in a loop.'],
  [['added'], 'A controller never learns of a new object, so nothing is done for it.'],
  [['updated'], 'A controller keeps working with the old spec.'],
  [
    ['removed', 'collection-removals'],
    'A cache keeps objects that are gone, and traffic is sent to Pods that do not exist.',
  ],
  [['event-envelope', 'event-object'], 'A client library cannot decode the event and drops the watch.'],
  [['event-fields', 'event-schema'], 'A typed client fails on the object of an event and stops watching.'],
  [['removed-last-state'], 'A controller that cleans up after a delete does not know what the object had.'],
  [['filtered-labels', 'filtered-fields'], 'A node agent or controller gets the objects of others and acts on them.'],
  [['filter-entered'], 'A Pod that gets the label of a Service receives no traffic.'],
  [['filter-left'], 'A Pod that loses the label of a Service keeps receiving traffic.'],
  [
    ['core-type', 'group-type', 'group-stream-type'],
    'A client picks the wrong way to split the stream and reads no event.',
  ],
  [['yaml-refused'], 'A client waits for a stream of YAML that cannot be split into events.'],
  [['framing', 'websocket'], 'A client that reads line by line, or message by message, gets half an event and fails.'],
  [['headers-first'], 'A client cannot tell a watch without events from a server that hangs.'],
  [['too-old'], 'A client continues with a gap in its history and keeps objects that are gone.'],
  [['version-malformed'], 'A client with a damaged version gets a stream that starts at an unknown point.'],
  [['version-zero'], 'A client that accepts any start gets no objects at all.'],
  [['named-read'], 'A client that reads one object hangs on a stream.'],
  [
    ['bookmarks', 'bookmarks-asked'],
    'A quiet watch must start from a full list after each interruption, or gets events that it did not ask for.',
  ],
  [
    ['initial-events'],
    'A client that starts by streaming never learns that it has seen everything, and does not become ready.',
  ],
] as const satisfies Breaks;
