// Create: an object comes to be, once, under its name.
import type { Chapter } from '../types.js';

const source = ['Generic operation set/create'] as const;

export const create = {
  answer: {
    level: 'convention',
    source,
    text: 'A create answers the created object, with its name, its namespace and all that was sent.',
    subjects: 'creates',
  },
  'effect-read': {
    level: 'stated',
    source,
    text: 'After a create, a read finds the object with all that was sent.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'creates',
  },
  'effect-list': {
    level: 'stated',
    source,
    text: 'After a create, a list holds the object.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'creates',
  },
  identity: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'A created object gets a uid, a resourceVersion and a creationTimestamp in RFC 3339.',
    subjects: 'creates',
  },
  'own-uid': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'The uid of a created object is chosen by the server, not by the client.',
    subjects: 'creates',
  },
  'generated-name': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'With generateName and no name, two creates make two objects whose names start with it.',
    subjects: 'generatedNames',
  },
  'taken-name': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A create under a taken name is 409 with reason AlreadyExists and changes nothing.',
    subjects: 'refusedCreates',
  },
  'absent-namespace': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A create in a namespace that does not exist is 404 and creates nothing.',
    subjects: 'namespacedCreates',
  },
  'namespace-mismatch': {
    level: 'convention',
    source: ['Errors/1'],
    text: 'A create whose body names another namespace than the path is 400 and creates nothing in either.',
    subjects: 'namespacedCreates',
  },
} as const satisfies Chapter;
