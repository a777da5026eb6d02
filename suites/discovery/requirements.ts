// Discovery: a server lists the resources that it serves.
import type { Chapter } from '../requirements/types.js';

export const discovery = {
  'group-version': {
    level: 'recommended',
    rule: '2.11',
    text: 'Each discovery path returns an APIResourceList of its group version.',
    subjects: 'discoveries',
    breaks: '`kubectl` cannot decode the list of resources and ends before it sends the first request.',
  },
  names: {
    level: 'recommended',
    rule: '2.11',
    text: 'Each entry of a resource list has a unique name, a kind and a namespaced flag.',
    subjects: 'discoveries',
    breaks: 'A client finds two entries for one name, or an entry without a kind, and picks the wrong path.',
  },
  resource: {
    level: 'required',
    rule: '2.11',
    text: 'Discovery lists each kind by its plural name.',
    words: 'return the available resources',
    subjects: 'discoveredResources',
    breaks: '`kubectl get` of this kind says that the server does not have the resource type.',
  },
  'resource-fields': {
    level: 'recommended',
    rule: '2.11',
    text: 'The discovery entries of each kind and its subresources have its scope and the kinds of their bodies, and that of its scale names no other version.',
    subjects: 'discoveredResources',
    breaks:
      'A generic client builds a path with a namespace for a cluster-scoped kind, or without one for a namespaced kind.',
  },
  complete: {
    level: 'required',
    rule: '2.11',
    words: 'return the available resources',
    text: 'Discovery lists every kind, and every subresource of a kind, whose required paths are served.',
    subjects: 'completeDiscoveries',
    breaks:
      'Tools that copy, back up or delete everything miss the objects of this kind, and an autoscaler finds no scale.',
  },
  verbs: {
    level: 'recommended',
    rule: '2.11',
    text: 'A discovery entry that has verbs has one for each read, watch and patch that is served.',
    subjects: 'completeDiscoveries',
    breaks: 'Controllers that watch every kind, such as a garbage collector, leave this kind out.',
  },
  roots: {
    level: 'recommended',
    rule: '2.11',
    text: 'The paths above the group versions respond as kubectl expects: versions, all groups that are served, each with its versions, any page of all discovery, the version of the server, its health.',
    subjects: 'discoveryRoots',
    breaks: 'Clients that look for groups, the version or the health before anything else do not start.',
  },
  openapi: {
    level: 'recommended',
    rule: '2.11',
    text: 'An OpenAPI document that the server has is readable: version 2 at /openapi/v2, never as JSON for a client that accepts protobuf alone, and at /openapi/v3 an index of readable documents.',
    subjects: 'openApiDocuments',
    breaks: '`kubectl apply`, which validates by the document first, fails on every manifest.',
  },
} as const satisfies Chapter;
