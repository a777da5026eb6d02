// Replace: the whole object is written, or nothing.
import type { Chapter } from '../types.js';

const source = ['Generic operation set/replace'] as const;

export const replace = {
  answer: {
    level: 'convention',
    source,
    text: 'The response to a replace is the object after the change.',
    subjects: 'replaces',
  },
  'effect-read': {
    level: 'stated',
    source,
    text: 'After a replace, a read returns the change, and what the new body left out is gone.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'replaces',
  },
  'effect-list': {
    level: 'stated',
    source,
    text: 'After a replace, a list contains the object with the change, once.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'replaces',
  },
  identity: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'A replace keeps uid and creationTimestamp and changes the resourceVersion.',
    subjects: 'replaces',
  },
  stale: {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A replace with a stale resourceVersion is refused with 409 and the reason Conflict, and changes nothing.',
    subjects: 'refusedReplaces',
  },
  'name-mismatch': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A replace whose body names another object than the path is refused with 400 and changes nothing.',
    subjects: 'refusedReplaces',
  },
  'other-uid': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A replace with another uid is refused with 409, or with 422 where the uid is an immutable field, and changes nothing.',
    subjects: 'refusedReplaces',
  },
  absent: {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A replace of an absent object is refused with 404; it may create endpoints, events and limitranges.',
    subjects: 'refusedReplaces',
  },
} as const satisfies Chapter;
