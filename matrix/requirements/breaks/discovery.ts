// The consequences for clients if a requirement of the chapter discovery is violated.
import type { Breaks } from './types.js';

export const discovery = [
  [['group-version'], '`kubectl` cannot decode the list of resources and ends before it sends the first request.'],
  [['names'], 'A client finds two entries for one name, or an entry without a kind, and picks the wrong path.'],
  [['resource'], '`kubectl get` of this kind says that the server does not have the resource type.'],
  [
    ['resource-fields'],
    'A generic client builds a path with a namespace for a cluster-scoped kind, or without one for a namespaced kind.',
  ],
  [['complete'], 'Tools that copy, back up or delete everything miss the objects of this kind.'],
  [['roots'], 'Clients that look for groups, the version or the health before anything else do not start.'],
] as const satisfies Breaks;
