// Deletion: options, grace, finalizers, dependents, and the end of a namespace.
import type { Chapter } from '../types.js';

const source = ['Generic operation set/delete'] as const;
const planned = 'the deletion chapter';

export const deleteOptions = {
  // Options
  options: {
    level: 'stated',
    source: [...source, 'Conventions/2', 'Parameters/body'],
    text: 'A delete takes a DeleteOptions body and deletes the object.',
    planned,
  },
  'options-empty': {
    level: 'convention',
    source: [...source, 'Conventions/2'],
    text: 'A delete whose body is the empty object deletes the object.',
    planned,
  },
  'options-malformed': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete whose body does not decode is an error, and the object stays.',
    planned,
  },
  'options-wrong-kind': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete whose body is of another kind than DeleteOptions is an error, and the object stays.',
    planned,
  },
  'options-type': {
    level: 'convention',
    source: [...source, 'Conventions/3'],
    text: 'A delete whose body has a type without a codec is 415, and the object stays.',
    planned,
  },
  'precondition-uid': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete whose precondition names another uid is 409, and the object stays.',
    planned,
  },
  'precondition-version': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete whose precondition names another resourceVersion is 409, and the object stays.',
    planned,
  },
  'precondition-met': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A delete whose preconditions hold deletes the object.',
    planned,
  },
  'dry-run': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A delete with dryRun in its options or its query deletes nothing.',
    planned,
  },
  'answer-status': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The Status of a delete that is done names the object in its details.',
    planned,
  },
  'answer-object': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A delete that is put off answers the object with its deletionTimestamp.',
    planned,
  },
  // Grace
  'grace-marks': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A Pod on a node that is deleted with a grace period stays, with deletionTimestamp and the period.',
    planned,
  },
  'grace-default': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: "Without a grace period in the request the one of the Pod's spec counts.",
    planned,
  },
  'grace-query': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The grace period may come in the query, and means the same as in the options.',
    planned,
  },
  'grace-zero': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A delete with a grace period of 0 removes the Pod at once.',
    planned,
  },
  // Finalizers
  'finalizer-holds': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'An object with finalizers stays after a delete, with its deletionTimestamp set.',
    planned,
  },
  'finalizer-last': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A deleted object is gone once its last finalizer is taken away.',
    planned,
  },
  'finalizer-late': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'No finalizer can be added to an object that is being deleted.',
    planned,
  },
  'timestamp-kept': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A write cannot take the deletionTimestamp of an object away.',
    planned,
  },
  'finalizer-collection': {
    level: 'convention',
    source: ['Generic operation set/delete collection', 'States and transitions/not shown'],
    text: 'A delete-collection marks the objects that finalizers hold, and removes the others.',
    planned,
  },
  // Dependents
  'dependents-background': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With propagation Background the object goes at once, and its dependents go after it.',
    planned,
  },
  'dependents-foreground': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With propagation Foreground the object goes only when its blocking dependents are gone.',
    planned,
  },
  'dependents-orphan': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With propagation Orphan the dependents stay and lose their owner reference.',
    planned,
  },
  'dependents-orphan-flag': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'With orphanDependents true the dependents stay and lose their owner reference.',
    planned,
  },
  'dependents-other-owner': {
    level: 'convention',
    source: [...source, 'States and transitions/not shown'],
    text: 'A dependent that has another living owner stays.',
    planned,
  },
  'propagation-unknown': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A propagation policy that does not exist is an error, and the object stays.',
    planned,
  },
  'propagation-twice': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'Options with both orphanDependents and a propagation policy are an error, and the object stays.',
    planned,
  },
  'name-free': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'After a delete an object of the same name can be created, and has another uid.',
    planned,
  },
  // The end of a namespace
  'namespace-terminating': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'A deleted namespace that holds finalizers is Terminating, and the delete answers it so.',
    planned,
  },
  'namespace-contents': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'Everything in a deleted namespace is deleted.',
    planned,
  },
  'namespace-gone': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'A deleted namespace is gone when its contents are.',
    planned,
  },
  'namespace-closed': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'Errors/1'],
    text: 'A create in a namespace that is Terminating is 403, and nothing is created.',
    planned,
  },
  'namespace-held': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'An object that finalizers hold holds its namespace.',
    planned,
  },
  'namespace-default': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'Errors/1'],
    text: 'The namespace default cannot be deleted: 403.',
    planned,
  },
} as const satisfies Chapter;
