// References to objects, and the kinds that mainly consist of one: bindings and events.
import { field } from './field.js';

export const referenceTypes = {
  ObjectReference: {
    kind: field('string', 1),
    namespace: field('string', 2),
    name: field('string', 3),
    uid: field('string', 4),
    apiVersion: field('string', 5),
    resourceVersion: field('string', 6),
    fieldPath: field('string', 7),
  },
  LocalObjectReference: {
    name: field('string', 1),
  },
  Binding: {
    metadata: field('ObjectMeta', 1),
    target: field('ObjectReference', 2, { required: true }),
  },
  Event: {
    metadata: field('ObjectMeta', 1, { required: true }),
    involvedObject: field('ObjectReference', 2, { required: true }),
    reason: field('string', 3),
    message: field('string', 4),
    source: field('EventSource', 5),
    firstTimestamp: field('time', 6),
    lastTimestamp: field('time', 7),
    count: field('int32', 8),
    type: field('string', 9),
  },
  EventSource: {
    component: field('string', 1),
    host: field('string', 2),
  },
};
