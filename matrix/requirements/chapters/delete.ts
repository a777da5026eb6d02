// Delete: exactly one object is deleted.
import type { Chapter } from '../types.js';

const source = ['Generic operation set/delete'] as const;

export const deletion = {
  answer: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'The response to a delete is a Status with Success, or the deleted object.',
    subjects: 'deletes',
  },
  'effect-read': {
    level: 'stated',
    source,
    text: 'After a delete, a read is refused with 404, or returns the object that finalizers hold while it is being deleted.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'deletes',
  },
  'effect-list': {
    level: 'stated',
    source,
    text: 'After a delete, a list no longer contains the object, unless finalizers hold it.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'deletes',
  },
  'spares-others': {
    level: 'stated',
    source,
    text: 'A delete does not change any other object of the kind.',
    words: 'name | path | string | yes | object name',
    subjects: 'deletes',
  },
  'without-options': {
    level: 'convention',
    source: ['Conventions/2', 'Core group/services'],
    text: 'A delete without a body is accepted and deletes the object.',
    subjects: 'deletesWithoutOptions',
  },
  absent: {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A delete of an absent object is refused with 404 and the reason NotFound.',
    subjects: 'refusedDeletes',
  },
} as const satisfies Chapter;
