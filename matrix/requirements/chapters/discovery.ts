// Discovery: a server lists the resources that it serves.
import type { Chapter } from '../types.js';

export const discovery = {
  'group-version': {
    level: 'convention',
    source: ['Conventions/5', 'Versioning/1'],
    text: 'Each discovery path returns an APIResourceList of its group version.',
    subjects: 'discoveries',
  },
  names: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'Each entry of a resource list has a unique name, a kind and a namespaced flag.',
    subjects: 'discoveries',
  },
  resource: {
    level: 'stated',
    source: ['Conventions/5', 'Kinds by path prefix/core namespaced', 'Kinds by path prefix/core cluster'],
    text: 'Discovery lists each kind by its plural name.',
    words: 'return the available resources',
    subjects: 'discoveredResources',
  },
  'resource-fields': {
    level: 'convention',
    source: ['Conventions/6', 'Kinds by path prefix/core namespaced', 'Kinds by path prefix/core cluster'],
    text: 'The discovery entry of each kind has its kind and its scope.',
    subjects: 'discoveredResources',
  },
  complete: {
    level: 'stated',
    source: ['Conventions/5'],
    words: 'return the available resources',
    text: 'Discovery lists every kind whose required paths are served.',
    subjects: 'completeDiscoveries',
  },
  roots: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'The paths above the group versions respond as clients expect: versions, groups, one group, the version of the server, its health.',
    subjects: 'discoveryRoots',
  },
} as const satisfies Chapter;
