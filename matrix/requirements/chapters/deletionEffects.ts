// Rows of the deletion chapter: what a delete does, by grace, finalizers and owners, and the end of a namespace.
import type { Chapter } from '../types.js';

const source = ['Generic operation set/delete'] as const;
const collection = ['Generic operation set/delete collection'] as const;

export const deletionEffects = {
  // Grace
  'grace-marks': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A Pod on a node that is deleted with a grace period stays, with deletionTimestamp and the period.',
    subjects: 'gracefulDeletes',
  },
  'grace-default': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: "Without a grace period in the request the one of the Pod's spec counts.",
    subjects: 'gracefulDeletes',
  },
  'grace-query': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The grace period may come in the query, and means the same as in the options.',
    subjects: 'gracefulDeletes',
  },
  'grace-zero': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A delete with a grace period of 0 removes the Pod at once.',
    subjects: 'gracefulDeletes',
  },
  'grace-unscheduled': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A Pod on no node is gone at once, whatever the grace period.',
    subjects: 'gracefulDeletes',
  },
  'grace-shorter': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A later delete can shorten the grace period of a Pod.',
    subjects: 'gracefulDeletes',
  },
  'grace-kept': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A later delete cannot lengthen the grace period of a Pod.',
    subjects: 'gracefulDeletes',
  },
  'grace-collection': {
    level: 'convention',
    source: [...collection, 'States and transitions/not shown'],
    text: 'The grace period of a delete-collection, in its options or its query, holds for each Pod.',
    subjects: 'gracefulDeletes',
  },
  'grace-elsewhere': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A grace period does not put off the end of what is no Pod.',
    subjects: 'otherGraces',
  },
  // Finalizers
  'finalizer-holds': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'An object with finalizers stays after a delete, with its deletionTimestamp set.',
    subjects: 'heldDeletes',
  },
  'finalizer-last': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A deleted object is gone once its last finalizer is taken away.',
    subjects: 'heldDeletes',
  },
  'finalizer-late': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'No finalizer can be added to an object that is being deleted.',
    subjects: 'heldDeletes',
  },
  'timestamp-kept': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A write cannot take the deletionTimestamp of an object away.',
    subjects: 'heldDeletes',
  },
  'finalizer-collection': {
    level: 'convention',
    source: [...collection, 'States and transitions/not shown'],
    text: 'A delete-collection marks the objects that finalizers hold, and removes the others.',
    subjects: 'heldCollections',
  },
  // Dependents
  'dependents-background': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With propagation Background the object goes at once, and its dependents go after it.',
    subjects: 'owners',
    feature: ['garbage-collection', 'propagation-policy'],
  },
  'dependents-foreground': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With propagation Foreground the object goes only when its blocking dependents are gone.',
    subjects: 'owners',
    feature: ['garbage-collection', 'propagation-policy'],
  },
  'dependents-orphan': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With propagation Orphan the dependents stay and lose their owner reference.',
    subjects: 'owners',
    feature: ['garbage-collection', 'propagation-policy'],
  },
  'dependents-orphan-flag': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With orphanDependents true the dependents stay and lose their owner reference.',
    subjects: 'owners',
    feature: 'garbage-collection',
  },
  'dependents-other-owner': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A dependent that has another living owner stays.',
    subjects: 'owners',
    feature: 'garbage-collection',
  },
  'dependents-flag-off': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With orphanDependents false the object goes at once, and its dependents go after it.',
    subjects: 'owners',
    feature: 'garbage-collection',
  },
  'dependents-default': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'Without a policy the dependents of a ReplicaSet lose their owner reference and those of other kinds go, those of a Job either way.',
    subjects: 'defaultPolicies',
    feature: 'garbage-collection',
  },
  'dependents-every-kind': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'An object of every kind goes after its only owner, events perhaps not.',
    subjects: 'dependents',
    feature: 'garbage-collection',
  },
  'dependents-unblocking': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With propagation Foreground the object does not wait for dependents that do not block it.',
    subjects: 'collector',
    feature: ['garbage-collection', 'propagation-policy'],
  },
  'dependents-shared': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With propagation Foreground a dependent that has another living owner stays.',
    subjects: 'collector',
    feature: ['garbage-collection', 'propagation-policy'],
  },
  'dependents-chain': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'The dependents of dependents go too.',
    subjects: 'collector',
    feature: 'garbage-collection',
  },
  'dependents-lost': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'An object whose owner has never been there goes.',
    subjects: 'collector',
    feature: 'garbage-collection',
  },
  'dependents-collection': {
    level: 'convention',
    source: [...collection, 'States and transitions/not shown'],
    text: 'The propagation of a delete-collection, in its options or its query, holds for each object.',
    subjects: 'collector',
    feature: ['garbage-collection', 'propagation-policy'],
  },
  // The end of a namespace
  'namespace-terminating': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'A deleted namespace that holds finalizers is Terminating, and the delete answers it so.',
    subjects: 'namespaceEnds',
  },
  'namespace-contents': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'Everything in a deleted namespace is deleted.',
    subjects: 'namespaceEnds',
    feature: 'namespace-controller',
  },
  'namespace-gone': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'A deleted namespace is gone when its contents are.',
    subjects: 'namespaceEnds',
    feature: 'namespace-controller',
  },
  'namespace-closed': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'Errors/1'],
    text: 'A create in a namespace that is Terminating is 403, and nothing is created.',
    subjects: 'namespaceEnds',
  },
  'namespace-held': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'An object that finalizers hold holds its namespace.',
    subjects: 'namespaceEnds',
  },
  'namespace-default': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'Errors/1'],
    text: 'The namespace default cannot be deleted: 403.',
    subjects: 'namespaceEnds',
    feature: 'dry-run',
  },
} as const satisfies Chapter;
