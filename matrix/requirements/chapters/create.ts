// Create: an object is created once, with its name.
import type { Chapter } from '../types.js';

const source = ['Generic operation set/create'] as const;

export const create = {
  answer: {
    level: 'convention',
    source,
    text: 'The response to a create is the created object, with its name, its namespace and everything that was sent.',
    subjects: 'creates',
  },
  'effect-read': {
    level: 'stated',
    source,
    text: 'After a create, a read returns the object with everything that was sent.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'creates',
  },
  'effect-list': {
    level: 'stated',
    source,
    text: 'After a create, a list contains the object.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'creates',
  },
  identity: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'A created object has a uid, a resourceVersion and a creationTimestamp in RFC 3339.',
    subjects: 'creates',
  },
  'own-uid': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'The server chooses the uid of a created object, not the client.',
    subjects: 'creates',
  },
  'generated-name': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'With generateName and no name, two creates make two objects whose names start with generateName.',
    subjects: 'generatedNames',
  },
  'taken-name': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A create under a name that is in use is refused with 409 and the reason AlreadyExists, and changes nothing.',
    subjects: 'refusedCreates',
  },
  'absent-namespace': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A create in a namespace that does not exist is refused with 404 and creates nothing.',
    subjects: 'namespacedCreates',
  },
  'namespace-mismatch': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A create whose body names another namespace than the path is refused with 400 and creates nothing in either namespace.',
    subjects: 'namespacedCreates',
  },
} as const satisfies Chapter;
