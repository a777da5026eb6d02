// Replace: the whole object is written anew, or nothing is.
import type { Chapter } from '../types.js';

const source = ['Generic operation set/replace'] as const;

export const replace = {
  answer: {
    level: 'convention',
    source,
    text: 'A replace answers the object as it now is, with the change.',
    subjects: 'replaces',
  },
  'effect-read': {
    level: 'stated',
    source,
    text: 'After a replace, a read finds the change, and what the new body left out is gone.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'replaces',
  },
  'effect-list': {
    level: 'stated',
    source,
    text: 'After a replace, a list holds the object with the change, once.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'replaces',
  },
  identity: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'A replace keeps uid and creationTimestamp and moves the resourceVersion.',
    subjects: 'replaces',
  },
  stale: {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A replace that carries a stale resourceVersion is 409 with reason Conflict and changes nothing.',
    subjects: 'refusedReplaces',
  },
  'name-mismatch': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A replace whose body names another object than the path is 400 and changes nothing.',
    subjects: 'refusedReplaces',
  },
  'other-uid': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A replace that carries another uid is 409, or 422 where the uid counts as immutable, and changes nothing.',
    subjects: 'refusedReplaces',
  },
  absent: {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A replace of an absent object is 404; endpoints, events and limitranges may be created by it.',
    subjects: 'refusedReplaces',
  },
} as const satisfies Chapter;
