// Delete options: what a delete may be told, what of it is refused, and what it answers.
import type { Chapter } from '../types.js';
import { deletionEffects } from './deletionEffects.js';

const source = ['Generic operation set/delete'] as const;
const collection = ['Generic operation set/delete collection'] as const;

export const deleteOptions = {
  // Options
  options: {
    level: 'stated',
    source: [...source, 'Conventions/2', 'Parameters/body'],
    text: 'A delete takes a DeleteOptions body and deletes the object.',
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
    text: 'A delete whose body does not decode is an error, and the object stays.',
    subjects: 'refusedDeleteOptions',
  },
  'options-wrong-kind': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete whose body is of another kind than DeleteOptions is an error, and the object stays.',
    subjects: 'refusedDeleteOptions',
  },
  'options-type': {
    level: 'convention',
    source: [...source, 'Conventions/3'],
    text: 'A delete whose body has a type without a codec is 415, and the object stays.',
    subjects: 'refusedDeleteOptions',
  },
  'query-malformed': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete whose grace period in the query is no number is an error, and the object stays.',
    subjects: 'refusedDeleteOptions',
  },
  'precondition-uid': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete whose precondition names another uid is 409, and the object stays.',
    subjects: 'refusedDeleteOptions',
  },
  'precondition-version': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete whose precondition names another resourceVersion is 409, and the object stays.',
    subjects: 'refusedDeleteOptions',
    feature: 'precondition-version',
  },
  'precondition-met': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A delete whose preconditions hold deletes the object.',
    subjects: 'metPreconditions',
  },
  'dry-run': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A delete with dryRun in its options or its query deletes nothing.',
    subjects: 'dryDeletes',
    feature: 'dry-run',
  },
  'dry-run-unknown': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A delete with a dryRun value that is not known is an error, and the object stays.',
    subjects: 'refusedDeleteOptions',
    feature: 'dry-run',
  },
  'answer-status': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A delete that is done at once answers a Status that says Success, with details that name the object if with any, or the object.',
    subjects: 'doneDeletes',
  },
  'answer-object': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A delete that is put off answers the object with its deletionTimestamp.',
    subjects: 'heldDeletes',
  },
  'answer-pod': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A delete of a Pod answers the Pod with its deletionTimestamp, also when it is gone at once.',
    subjects: 'gracefulDeletes',
  },
  'answer-list': {
    level: 'convention',
    source: [...collection, 'Conventions/6'],
    text: 'A delete-collection answers a list of what it deleted and of nothing else, or a Status that says Success.',
    subjects: 'collectionOptions',
  },
  'propagation-unknown': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A propagation policy that does not exist is an error, and the object stays.',
    subjects: 'refusedDeleteOptions',
    feature: 'propagation-policy',
  },
  'propagation-twice': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'Options with both orphanDependents and a propagation policy are an error, and the object stays.',
    subjects: 'refusedDeleteOptions',
    feature: 'propagation-policy',
  },
  // Options of a delete-collection
  'collection-options': {
    level: 'convention',
    source: [...collection, 'Conventions/6'],
    text: 'A delete-collection with options in a body deletes what the selector names.',
    subjects: 'collectionOptions',
  },
  'collection-dry-run': {
    level: 'convention',
    source: [...collection, 'Conventions/6'],
    text: 'A delete-collection with dryRun in its options or its query deletes nothing.',
    subjects: 'collectionOptions',
    feature: 'dry-run',
  },
  'collection-malformed': {
    level: 'convention',
    source: [...collection, 'Errors/1'],
    text: 'A delete-collection whose body is no delete options is an error, and every object stays.',
    subjects: 'collectionOptions',
  },
  'collection-propagation': {
    level: 'convention',
    source: [...collection, 'Errors/1'],
    text: 'A delete-collection with a propagation policy that does not exist is an error, and every object stays.',
    subjects: 'collectionOptions',
    feature: 'propagation-policy',
  },
  'collection-precondition': {
    level: 'convention',
    source: [...collection, 'Errors/1'],
    text: 'A delete-collection whose precondition names another uid is 409, and the object stays.',
    subjects: 'collectionOptions',
  },
  'name-free': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'After a delete an object of the same name can be created, and has another uid.',
    subjects: 'recreated',
  },
  ...deletionEffects,
} as const satisfies Chapter;
