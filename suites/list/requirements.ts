// List: the objects that a list has, and those that it must not have.
import type { Chapter } from '../requirements/types.js';

export const list = {
  contains: {
    level: 'required',
    rule: '7.1',
    text: 'A list contains every object of the kind that was created in its scope, once each.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'lists',
    breaks: 'A controller never sees the object, so nothing is done for it.',
  },
  scope: {
    level: 'required',
    rule: '7.1',
    text: 'A list contains each object of its scope once, and none of another namespace or kind: not the namesake, nor one of a namespace whose name is the beginning of another.',
    words: 'list in namespace | GET | P/namespaces/{namespace}/{plural} | LW | none',
    subjects: 'namespacedLists',
    breaks:
      'A client with access to one namespace sees the objects of another, or a cluster-wide controller misses some.',
  },
  content: {
    level: 'required',
    rule: '7.1',
    text: 'An item of a list equals the object that a read returns.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'lists',
    breaks: 'A cache that is filled from a list holds other data than a read shows, and controllers act on it.',
  },
  'same-name': {
    level: 'required',
    rule: '1.3',
    words: 'An object is namespaced (its path contains `/namespaces/{namespace}/`)',
    text: 'Objects with one name in two namespaces, or of two kinds, are two objects: a change of one changes no other.',
    subjects: 'sharedNames',
    breaks: "Two teams that use the same name change or delete each other's objects.",
  },
  empty: {
    level: 'recommended',
    rule: '7.2',
    text: 'A list without objects, also of a namespace that does not exist, has its kind, a resourceVersion and an empty list of items.',
    subjects: 'emptyLists',
    breaks:
      'A client that reads `items` of an empty list fails on null, or has no version from which to watch; `helm install --create-namespace` ends before it begins.',
  },
  kind: {
    level: 'recommended',
    rule: '7.2',
    text: 'The body of a list has the kind <Kind>List and the apiVersion of its group.',
    subjects: 'lists',
    breaks: 'Typed clients cannot decode the list.',
  },
  'items-untyped': {
    level: 'recommended',
    rule: '7.2',
    text: 'The items of a typed list carry neither apiVersion nor kind.',
    subjects: 'lists',
    breaks: 'Strict decoders of typed lists report unknown fields in each item.',
    onlyOwnKinds: 'the items of a list of custom resources carry their type',
  },
  'resource-version': {
    level: 'recommended',
    rule: '7.2',
    text: 'The metadata of a list carries a resourceVersion, no older than those of its items, and each item the one that a read shows.',
    subjects: 'lists',
    breaks:
      'A client has no version from which to watch, or writes with a version that no object has, and is refused for ever.',
  },
  'component-statuses': {
    level: 'required',
    rule: '2.4',
    text: 'Each component status in the list, which may be empty, has a name and can be read by it.',
    words: 'GET | /api/v1/componentstatuses | LW | list',
    subjects: 'componentStatuses',
    breaks: 'A health check that reads the listed components one by one gets 404.',
  },
} as const satisfies Chapter;
