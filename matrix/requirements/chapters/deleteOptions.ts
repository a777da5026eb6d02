// Delete options: their effect, their refusals, and the response to a delete.
import type { Chapter } from '../types.js';
import { effects } from './deleteOptions/effects.js';

const source = ['Generic operation set/delete'] as const;
const collection = ['Generic operation set/delete collection'] as const;

export const deleteOptions = {
  // Options
  options: {
    level: 'stated',
    source: [...source, 'Conventions/2', 'Parameters/body'],
    text: 'A delete accepts a DeleteOptions body and deletes the object.',
    words: 'Most DELETE-by-name operations also declare a required body (delete options)',
    subjects: 'acceptedDeleteOptions',
  },
  'options-empty': {
    level: 'convention',
    source: [...source, 'Conventions/2'],
    text: 'A delete whose body is the empty object deletes the object.',
    subjects: 'emptyDeleteOptions',
  },
  'options-malformed': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete whose body cannot be decoded is refused, and the object stays.',
    subjects: 'refusedDeleteOptions',
  },
  'options-wrong-kind': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete whose body is of another kind than DeleteOptions is refused, and the object stays.',
    subjects: 'refusedDeleteOptions',
  },
  'options-type': {
    level: 'convention',
    source: [...source, 'Conventions/3'],
    text: 'A delete whose body has a type that the server cannot decode is refused with 415, and the object stays.',
    subjects: 'refusedDeleteOptions',
  },
  'query-malformed': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete with a grace period in the query that is not a number is refused, and the object stays.',
    subjects: 'refusedDeleteOptions',
  },
  'precondition-uid': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete with a precondition on another uid is refused with 409, and the object stays.',
    subjects: 'refusedDeleteOptions',
  },
  'precondition-version': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete with a precondition on another resourceVersion is refused with 409, and the object stays.',
    subjects: 'refusedDeleteOptions',
    feature: 'precondition-version',
  },
  'precondition-met': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A delete with preconditions that the object meets deletes the object.',
    subjects: 'metPreconditions',
  },
  'dry-run': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A delete with dryRun in its options or in the query deletes nothing.',
    subjects: 'dryDeletes',
    feature: 'dry-run',
  },
  'dry-run-unknown': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete with an unknown dryRun value is refused, and the object stays.',
    subjects: 'refusedDeleteOptions',
    feature: 'dry-run',
  },
  'answer-status': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The response to a delete that takes effect at once is a Status with Success, whose details, if any, name the object, or the object itself.',
    subjects: 'doneDeletes',
  },
  'answer-object': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The response to a delete that is delayed is the object with its deletionTimestamp.',
    subjects: 'heldDeletes',
  },
  'answer-pod': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The response to a delete of a Pod is the Pod with its deletionTimestamp, also when the Pod is gone at once.',
    subjects: 'gracefulDeletes',
  },
  'answer-list': {
    level: 'convention',
    source: [...collection, 'Conventions/6'],
    text: 'The response to a delete-collection is a list of what it deleted and nothing else, or a Status with Success.',
    subjects: 'collectionOptions',
  },
  'propagation-unknown': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete with an unknown propagation policy is refused, and the object stays.',
    subjects: 'refusedDeleteOptions',
    feature: 'propagation-policy',
  },
  'propagation-twice': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete with both orphanDependents and a propagation policy is refused, and the object stays.',
    subjects: 'refusedDeleteOptions',
    feature: 'propagation-policy',
  },
  // Options of a delete-collection
  'collection-options': {
    level: 'convention',
    source: [...collection, 'Conventions/6'],
    text: 'A delete-collection with options in its body deletes the objects that the selector matches.',
    subjects: 'collectionOptions',
  },
  'collection-dry-run': {
    level: 'convention',
    source: [...collection, 'Conventions/6'],
    text: 'A delete-collection with dryRun in its options or in the query deletes nothing.',
    subjects: 'collectionOptions',
    feature: 'dry-run',
  },
  'collection-malformed': {
    level: 'convention',
    source: [...collection, 'Errors/1'],
    text: 'A delete-collection whose body is no DeleteOptions object is refused, and every object stays.',
    subjects: 'collectionOptions',
  },
  'collection-propagation': {
    level: 'convention',
    source: [...collection, 'Errors/1'],
    text: 'A delete-collection with an unknown propagation policy is refused, and every object stays.',
    subjects: 'collectionOptions',
    feature: 'propagation-policy',
  },
  'collection-precondition': {
    level: 'convention',
    source: [...collection, 'Errors/1'],
    text: 'A delete-collection with a precondition on another uid is refused with 409, and the object stays.',
    subjects: 'collectionOptions',
  },
  'name-free': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'After a delete, an object with the same name can be created, and has another uid.',
    subjects: 'recreated',
  },
  ...effects,
} as const satisfies Chapter;
