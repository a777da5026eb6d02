// Read: one object by its name.
import type { Chapter } from '../types.js';

export const read = {
  object: {
    level: 'stated',
    source: ['Generic operation set/read', 'Fields that are stated/any object metadata.name'],
    text: 'A read returns the object that the path names, with everything that was written.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'reads',
  },
  identity: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'A read returns the uid and the resourceVersion of the last write.',
    subjects: 'reads',
  },
  absent: {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A read of an absent object is refused with 404, the reason NotFound and the name in the details.',
    subjects: 'reads',
  },
  'other-namespace': {
    level: 'stated',
    source: ['What the service does/3', 'Fields that are stated/namespaced object metadata.namespace'],
    text: 'An object of one namespace is not found under the same name in another namespace.',
    words: 'An object is namespaced (its path contains /namespaces/{namespace}/) or cluster-scoped',
    subjects: 'namespacedReads',
  },
} as const satisfies Chapter;
