// Read: one object by its name.
import type { Chapter } from '../requirements/types.js';

export const read = {
  object: {
    level: 'required',
    rule: '7.3',
    text: 'A read returns the object that the path names, with everything that was written.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'reads',
    breaks: 'A client works with data that was never written, or without data that was.',
  },
  identity: {
    level: 'recommended',
    rule: '3.3',
    text: 'A read returns the uid and the resourceVersion of the last write; a read since a resourceVersion returns the object.',
    subjects: 'reads',
    breaks: 'A client that updates what it has read gets a conflict every time, or skips the conflict check.',
  },
  absent: {
    level: 'recommended',
    rule: '7.9',
    text: 'A read of an absent object is refused with 404, the reason NotFound and its name and kind in the details; a name in capitals is another one.',
    subjects: 'reads',
    breaks: 'A controller that creates an object when it is "not found" reports an error instead and creates nothing.',
  },
  'other-namespace': {
    level: 'required',
    rule: '1.3',
    text: 'An object of one namespace is not found under the same name in another namespace.',
    words: 'An object is namespaced (its path contains /namespaces/{namespace}/) or cluster-scoped',
    subjects: 'namespacedReads',
    breaks: 'A client reads the secret or the configuration of another team.',
  },
} as const satisfies Chapter;
