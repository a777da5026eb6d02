// The consequences for clients if a requirement of the chapter create is violated.
import type { Breaks } from './types.js';

export const create = [
  [['answer'], 'A client that uses the returned object, for its name or uid, works with wrong data.'],
  [
    ['effect-read', 'effect-list'],
    'A client believes that its object exists, and it does not, or only a part of it does.',
  ],
  [['identity'], 'Garbage collection, caches and conflict checks have nothing to identify the object by.'],
  [['own-uid'], 'A client can give its object the uid of another, and owner references point to the wrong object.'],
  [['generated-name'], 'A controller that creates several objects from one prefix gets one object, or an error.'],
  [
    ['taken-name'],
    'Two instances that race to create one object both believe that they won, and one overwrites the other.',
  ],
  [['absent-namespace'], 'Objects end up in a namespace that no client can list or delete.'],
  [['namespace-mismatch'], 'A manifest of one namespace is created in another without a warning.'],
] as const satisfies Breaks;
