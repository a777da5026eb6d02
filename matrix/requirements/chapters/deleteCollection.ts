// Delete collection: exactly the selected objects are deleted.
import type { Chapter } from '../types.js';

const source = ['Generic operation set/delete collection'] as const;

export const deleteCollection = {
  'effect-selected': {
    level: 'stated',
    source,
    text: 'A delete-collection with a label selector deletes every object that the selector matches.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'deleteCollections',
  },
  'spares-unselected': {
    level: 'stated',
    source: [...source, 'Parameters/labelSelector'],
    text: 'A delete-collection with a label selector keeps the objects that the selector does not match.',
    words: 'restricts results by labels; default is everything',
    subjects: 'deleteCollections',
  },
  'spares-other-namespaces': {
    level: 'stated',
    source: [...source, 'What the service does/3'],
    text: 'A delete-collection in a namespace keeps matching objects of other namespaces.',
    words: 'delete collection | DELETE | P/namespaces/{namespace}/{plural} | LW | none',
    subjects: 'namespacedDeleteCollections',
  },
  answer: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'The response to a delete-collection is the list of the deleted objects, or a Status with Success.',
    subjects: 'deleteCollections',
  },
} as const satisfies Chapter;
