// List: the objects that a list has, and those that it must not have.
import type { Chapter } from '../types.js';

const source = ['Generic operation set/list all namespaces', 'Generic operation set/list in namespace'] as const;

export const list = {
  contains: {
    level: 'stated',
    source,
    text: 'A list contains every object of the kind that was created in its scope, once each.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'lists',
  },
  scope: {
    level: 'stated',
    source: [...source, 'What the service does/3'],
    text: 'A list in a namespace contains no object of another namespace; a list across namespaces contains the objects of all.',
    words: 'list in namespace | GET | P/namespaces/{namespace}/{plural} | LW | none',
    subjects: 'namespacedLists',
  },
  content: {
    level: 'stated',
    source,
    text: 'An item of a list equals the object that a read returns.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'lists',
  },
  'same-name': {
    level: 'stated',
    source: [...source, 'What the service does/3'],
    words: 'An object is namespaced (its path contains `/namespaces/{namespace}/`)',
    text: 'Objects with one name in two namespaces are two objects: each is listed in its own namespace, and is not affected when the other is changed or deleted.',
    subjects: 'sharedNames',
  },
  empty: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'A list without objects has its kind, a resourceVersion and an empty list of items.',
    subjects: 'emptyLists',
  },
  kind: {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'The body of a list has the kind <Kind>List and the apiVersion of its group.',
    subjects: 'lists',
  },
  'items-untyped': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'The items of a typed list carry neither apiVersion nor kind.',
    subjects: 'lists',
  },
  'resource-version': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'The metadata of a list carries a resourceVersion that is not empty.',
    subjects: 'lists',
  },
  'component-statuses': {
    level: 'stated',
    source: ['Core group/GET /api/v1/componentstatuses', 'Core group/GET /api/v1/componentstatuses/{name}'],
    text: 'Component statuses are listed with names, and each one in the list can be read by its name.',
    words: 'GET | /api/v1/componentstatuses | LW | list',
    subjects: 'componentStatuses',
  },
} as const satisfies Chapter;
