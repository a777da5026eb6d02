// Rows of the chapter deleteOptions: effects of a delete on grace, finalizers and owners, and the end of a namespace.
import type { Chapter } from '../../types.js';

const source = ['Generic operation set/delete'] as const;
const collection = ['Generic operation set/delete collection'] as const;

export const effects = {
  // Grace
  'grace-marks': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A Pod on a node that is deleted with a grace period stays, with deletionTimestamp and the grace period.',
    subjects: 'gracefulDeletes',
  },
  'grace-default': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: "Without a grace period in the request, the grace period of the Pod's spec is used.",
    subjects: 'gracefulDeletes',
  },
  'grace-query': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A grace period in the query has the same effect as in the options.',
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
    text: 'A Pod without a node is gone at once, whatever the grace period.',
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
    text: 'A later delete cannot extend the grace period of a Pod.',
    subjects: 'gracefulDeletes',
  },
  'grace-collection': {
    level: 'convention',
    source: [...collection, 'States and transitions/not shown'],
    text: 'The grace period of a delete-collection, in its options or in the query, applies to each Pod.',
    subjects: 'gracefulDeletes',
  },
  'grace-elsewhere': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A grace period does not delay the deletion of objects other than Pods.',
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
    text: 'A deleted object is gone once its last finalizer is removed.',
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
    text: 'A write cannot remove the deletionTimestamp of an object.',
    subjects: 'heldDeletes',
  },
  'finalizer-collection': {
    level: 'convention',
    source: [...collection, 'States and transitions/not shown'],
    text: 'A delete-collection marks the objects that have finalizers, and removes the others.',
    subjects: 'heldCollections',
  },
  // Dependents
  'dependents-background': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With propagation Background the object is deleted at once, and its dependents after it.',
    subjects: 'owners',
    feature: ['garbage-collection', 'propagation-policy'],
  },
  'dependents-foreground': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With propagation Foreground the object is deleted only when its blocking dependents are gone.',
    subjects: 'owners',
    feature: ['garbage-collection', 'propagation-policy'],
  },
  'dependents-orphan': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With propagation Orphan the dependents stay and their owner reference is removed.',
    subjects: 'owners',
    feature: ['garbage-collection', 'propagation-policy'],
  },
  'dependents-orphan-flag': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With orphanDependents true the dependents stay and their owner reference is removed.',
    subjects: 'owners',
    feature: 'garbage-collection',
  },
  'dependents-other-owner': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A dependent that has another existing owner stays.',
    subjects: 'owners',
    feature: 'garbage-collection',
  },
  'dependents-flag-off': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With orphanDependents false the object is deleted at once, and its dependents after it.',
    subjects: 'owners',
    feature: 'garbage-collection',
  },
  'dependents-default': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'Without a policy, the dependents of a ReplicaSet are orphaned and those of other kinds are deleted; for a Job both are accepted.',
    subjects: 'defaultPolicies',
    feature: 'garbage-collection',
  },
  'dependents-every-kind': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'An object of every kind is deleted after its only owner; for events this is optional.',
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
    text: 'With propagation Foreground a dependent that has another existing owner stays.',
    subjects: 'collector',
    feature: ['garbage-collection', 'propagation-policy'],
  },
  'dependents-chain': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'The dependents of dependents are deleted too.',
    subjects: 'collector',
    feature: 'garbage-collection',
  },
  'dependents-lost': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'An object whose owner has never existed is deleted.',
    subjects: 'collector',
    feature: 'garbage-collection',
  },
  'dependents-collection': {
    level: 'convention',
    source: [...collection, 'States and transitions/not shown'],
    text: 'The propagation policy of a delete-collection, in its options or in the query, applies to each object.',
    subjects: 'collector',
    feature: ['garbage-collection', 'propagation-policy'],
  },
  // The end of a namespace
  'namespace-terminating': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'A deleted namespace with finalizers is Terminating, and the response to the delete shows it.',
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
    text: 'A deleted namespace is gone when its objects are gone.',
    subjects: 'namespaceEnds',
    feature: 'namespace-controller',
  },
  'namespace-closed': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'Errors/1'],
    text: 'A create in a namespace that is Terminating is refused with 403, and nothing is created.',
    subjects: 'namespaceEnds',
  },
  'namespace-held': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'An object that finalizers hold keeps its namespace from being removed.',
    subjects: 'namespaceEnds',
  },
  'namespace-default': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'Errors/1'],
    text: 'A delete of the namespace default is refused with 403.',
    subjects: 'namespaceEnds',
    feature: 'dry-run',
  },
} as const satisfies Chapter;
