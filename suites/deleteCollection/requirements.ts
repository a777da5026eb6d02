// Delete collection: exactly the selected objects are deleted.
import type { Chapter } from '../requirements/types.js';

export const deleteCollection = {
  'selected-listed': {
    level: 'required',
    rule: '7.1',
    text: 'A list by the label selector of a delete-collection shows each object that it deletes, in hundreds too, or a token to continue with, and a watch from the beginning adds them.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'selectedDeleteCollections',
    breaks: 'A controller takes a part of the objects for all of them, and removes what belongs to the others.',
  },
  'effect-selected': {
    level: 'required',
    rule: '9.8',
    text: 'A delete-collection with a label selector deletes every object that the selector matches.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'selectedDeleteCollections',
    breaks: 'A cleanup by label leaves objects behind that no tool looks for.',
  },
  'spares-unselected': {
    level: 'required',
    rule: '9.8',
    text: 'A delete-collection with a label selector keeps the objects that the selector does not match.',
    words: 'restricts results by labels; default is everything',
    subjects: 'selectedDeleteCollections',
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
    subjects: 'selectedDeleteCollections',
    breaks: 'A client cannot report what it has deleted.',
  },
} as const satisfies Chapter;
