// Surface: the kinds and operations that exist, and their scope.
import type { Chapter } from '../requirements/types.js';

export const surface = {
  served: {
    level: 'required',
    rule: '1.2',
    text: 'The server serves every operation of the interface: it never answers one with 404 for an unknown path, with 405 or with 501.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'statedOperations',
    breaks:
      'A client that calls this operation fails with an error that it cannot handle, and a tool built on it does not work at all.',
  },
  'cluster-scope': {
    level: 'required',
    rule: '1.3',
    text: 'A cluster-scoped kind has no path inside a namespace.',
    words: 'An object is namespaced (its path contains /namespaces/{namespace}/) or cluster-scoped',
    subjects: 'clusterScopedKinds',
    breaks:
      'A client that puts a cluster-scoped object into a namespace seems to succeed, and looks for the object in the wrong place later.',
  },
  'no-user-object': {
    level: 'required',
    rule: '17.2',
    text: 'Discovery lists no kind for normal users.',
    words: 'The service has no object for a normal user',
    subjects: 'userDiscoveries',
    breaks:
      'An administrator who creates a user through the API believes that the user exists, and the user cannot log in.',
  },
  'no-user-create': {
    level: 'required',
    rule: '17.2',
    text: 'No request creates a normal user: a POST to a path for users is a client error and creates nothing.',
    words: 'normal users cannot be added through an API call',
    subjects: 'userCreates',
    breaks:
      'An administrator who creates a user through the API believes that the user exists, and the user cannot log in.',
  },
  'bindings-created-only': {
    level: 'required',
    rule: '2.10',
    text: 'The path of Bindings accepts POST and no other method.',
    words: 'Binding (created only)',
    subjects: 'bindingMethods',
    breaks: 'A scheduler that lists Bindings gets an empty or wrong picture of which Pods are assigned.',
  },
  'event-is-ordinary': {
    level: 'required',
    rule: '2.9',
    text: 'An Event that a client creates is stored, read and listed like an object of any other namespaced kind.',
    words: 'Event is also an ordinary namespaced kind (/api/v1/.../events) with the generic operations',
    subjects: 'ordinaryEvents',
    breaks: '`kubectl describe` shows no events, and monitoring that reads Events stays silent.',
  },
  'component-condition': {
    level: 'recommended',
    rule: '2.4',
    text: 'Each ComponentStatus has a condition Healthy that is True, False or Unknown.',
    subjects: 'componentConditions',
    breaks: '`kubectl get componentstatuses` shows no health, and an alert on it never fires.',
  },
  'component-probed': {
    level: 'recommended',
    rule: '2.4',
    text: 'When a component stops, its condition Healthy becomes False within five seconds.',
    observable: false,
    reason: 'No request stops a component of a server; a test beside the reference server stops its storage.',
  },
  'component-absent': {
    level: 'recommended',
    rule: '2.4',
    text: 'A read of a component that does not exist is refused with a client error that names the component.',
    subjects: 'absentComponents',
    breaks: 'A monitoring script with a wrong component name reports that the component is healthy.',
  },
  'third-party-stored': {
    level: 'recommended',
    rule: '2.7',
    text: 'A ThirdPartyResource keeps its description and its versions.',
    subjects: 'thirdParties',
    breaks: 'An operator that installs its kind finds it without versions and does not start.',
  },
  'third-party-name': {
    level: 'recommended',
    rule: '2.7',
    text: 'A ThirdPartyResource whose name is not a kind and a domain is refused with 422 and not stored.',
    subjects: 'thirdPartyDomains',
    breaks: 'A ThirdPartyResource with a useless name is stored, and the kind that it describes never appears.',
  },
  'other-method': {
    level: 'required',
    rule: '1.8',
    text: 'A method that the path does not have, such as HEAD, OPTIONS, or a POST with another method in a header, changes nothing, and the response to a HEAD has no body.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'wrongMethods',
    breaks:
      'A link checker or a browser, which send HEAD and OPTIONS, change objects or get the next response mixed up.',
  },
  'almost-name': {
    level: 'required',
    rule: '1.4',
    text: 'A delete whose path has almost the name of an object, or climbs out of its namespace by encoded slashes, deletes nothing.',
    words: 'path | string | yes | object name',
    subjects: 'almostNames',
    breaks: 'Somebody with rights in one namespace deletes the objects of another, past the authorizer.',
  },
  'escaped-name': {
    level: 'recommended',
    rule: '1.4',
    text: 'A path in which each character of the name is escaped names the same object.',
    subjects: 'escapedNames',
    breaks: 'A client in a language that escapes more than others does not find its objects.',
  },
} as const satisfies Chapter;
