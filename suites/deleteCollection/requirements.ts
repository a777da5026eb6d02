// Delete collection: exactly the selected objects are deleted.
import type { Chapter } from '../requirements/types.js';

export const deleteCollection = {
  'effect-selected': {
    level: 'required',
    rule: '9.8',
    text: 'A delete-collection with a label selector deletes every object that the selector matches.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'deleteCollections',
    breaks: 'A cleanup by label leaves objects behind that no tool looks for.',
  },
  'spares-unselected': {
    level: 'required',
    rule: '9.8',
    text: 'A delete-collection with a label selector keeps the objects that the selector does not match.',
    words: 'restricts results by labels; default is everything',
    subjects: 'deleteCollections',
    breaks: 'A cleanup of one application deletes other applications too.',
  },
  'spares-other-namespaces': {
    level: 'required',
    rule: '9.8',
    text: 'A delete-collection in a namespace keeps matching objects of other namespaces and of other kinds, also where a name begins with another.',
    words: 'delete collection | DELETE | P/namespaces/{namespace}/{plural} | LW | none',
    subjects: 'namespacedDeleteCollections',
    breaks: 'A cleanup of one application deletes other applications too.',
  },
  answer: {
    level: 'recommended',
    rule: '9.8',
    text: 'The response to a delete-collection is the list of the deleted objects, or a Status with Success.',
    subjects: 'deleteCollections',
    breaks: 'A client cannot report what it has deleted.',
  },
} as const satisfies Chapter;
