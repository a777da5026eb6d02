// Discovery: a server lists what it serves.
import type { Chapter } from '../types.js';

export const discovery = {
  'group-version': {
    level: 'convention',
    source: ['Conventions/5', 'Versioning/1'],
    text: 'Each stated discovery endpoint answers an APIResourceList of its group version.',
    subjects: 'discoveries',
  },
  names: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'Each entry of a resource list has a name that is there once, a kind and a namespaced flag.',
    subjects: 'discoveries',
  },
  resource: {
    level: 'stated',
    source: ['Conventions/5', 'Kinds by path prefix/core namespaced', 'Kinds by path prefix/core cluster'],
    text: 'Each kind is listed by its plural.',
    words: 'return the available resources',
    subjects: 'discoveredResources',
  },
  'resource-fields': {
    level: 'convention',
    source: ['Conventions/6', 'Kinds by path prefix/core namespaced', 'Kinds by path prefix/core cluster'],
    text: 'The entry of each kind says its kind and its scope.',
    subjects: 'discoveredResources',
  },
  complete: {
    level: 'stated',
    source: ['Conventions/5'],
    words: 'return the available resources',
    text: 'A kind whose stated paths are served is listed.',
    subjects: 'completeDiscoveries',
  },
  roots: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'The roots answer as clients expect: versions, groups, the group, the version of the server, its health.',
    subjects: 'discoveryRoots',
  },
} as const satisfies Chapter;
