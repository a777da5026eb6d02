// The types that all groups share: object and list metadata, selectors, Status, delete options, watch events.
import { field, list, map } from './field.js';

export const metaTypes = {
  ObjectMeta: {
    name: field('string', 1),
    generateName: field('string', 2),
    namespace: field('string', 3),
    selfLink: field('string', 4),
    uid: field('string', 5),
    resourceVersion: field('string', 6),
    generation: field('int64', 7),
    creationTimestamp: field('time', 8, { presence: true }),
    deletionTimestamp: field('time', 9, { presence: true }),
    deletionGracePeriodSeconds: field('int64', 10, { presence: true }),
    labels: map('string', 11),
    annotations: map('string', 12),
    ownerReferences: list('OwnerReference', 13, { mergeKey: 'uid', strategy: 'merge' }),
    finalizers: list('string', 14, { strategy: 'merge' }),
    clusterName: field('string', 15),
  },
  OwnerReference: {
    apiVersion: field('string', 5, { required: true }),
    kind: field('string', 1, { required: true }),
    name: field('string', 3, { required: true }),
    uid: field('string', 4, { required: true }),
    controller: field('boolean', 6, { presence: true }),
    blockOwnerDeletion: field('boolean', 7, { presence: true }),
  },
  ListMeta: {
    selfLink: field('string', 1),
    resourceVersion: field('string', 2),
    continue: field('string', 3),
    remainingItemCount: field('int64', 4, { presence: true }),
  },
  LabelSelector: {
    matchLabels: map('string', 1),
    matchExpressions: list('LabelSelectorRequirement', 2),
  },
  LabelSelectorRequirement: {
    key: field('string', 1, { required: true, mergeKey: 'key', strategy: 'merge' }),
    operator: field('string', 2, { required: true }),
    values: list('string', 3),
  },
  Status: {
    metadata: field('ListMeta', 1),
    status: field('string', 2),
    message: field('string', 3),
    reason: field('string', 4),
    details: field('StatusDetails', 5),
    code: field('int32', 6),
  },
  StatusDetails: {
    name: field('string', 1),
    group: field('string', 2),
    kind: field('string', 3),
    causes: list('StatusCause', 4),
    retryAfterSeconds: field('int32', 5),
    uid: field('string', 6),
  },
  StatusCause: {
    reason: field('string', 1),
    message: field('string', 2),
    field: field('string', 3),
  },
  DeleteOptions: {
    gracePeriodSeconds: field('int64', 1, { presence: true }),
    preconditions: field('Preconditions', 2),
    orphanDependents: field('boolean', 3, { presence: true }),
    propagationPolicy: field('string', 4, { presence: true }),
    dryRun: list('string', 5),
  },
  Preconditions: {
    uid: field('string', 1, { presence: true }),
    resourceVersion: field('string', 2, { presence: true }),
  },
  WatchEvent: {
    type: field('string', 1, { required: true }),
    object: field('raw', 2, { required: true }),
  },
};
