// Create: an object is created once, with its name.
import type { Chapter } from '../requirements/types.js';

export const create = {
  answer: {
    level: 'recommended',
    rule: '7.4',
    text: 'The response to a create is the created object, with its name, its namespace and everything that was sent.',
    subjects: 'creates',
    breaks: 'A client that uses the returned object, for its name or uid, works with wrong data.',
  },
  'effect-read': {
    level: 'required',
    rule: '7.4',
    text: 'After a create, a read returns the object with everything that was sent.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'creates',
    breaks: 'A client believes that its object exists, and it does not, or only a part of it does.',
  },
  'effect-list': {
    level: 'required',
    rule: '7.4',
    text: 'After a create, lists contain the object with everything that was sent, once.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'creates',
    breaks: 'A client believes that its object exists, and it does not, or only a part of it does.',
  },
  'effect-watch': {
    level: 'required',
    rule: '7.4',
    text: 'A watch reports a create with everything that was sent.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'creates',
    breaks: 'A controller never acts on a new object, or acts on a part of it.',
  },
  'one-state': {
    level: 'recommended',
    rule: '3.3',
    text: 'After a create, the response, a read, lists and a watch show the same object at the same resourceVersion.',
    subjects: 'creates',
    breaks: 'A client and a controller that know the same version of an object believe different things of it.',
  },
  codecs: {
    level: 'required',
    rule: '4.2',
    text: 'After a create, reads as JSON, as YAML and in the group paths as protobuf show the same object, whole.',
    words: 'Wire formats are JSON, YAML and a binary protobuf-based vendor media type',
    subjects: 'creates',
    breaks: 'Two clients that read the same object in different media types see different objects.',
  },
  identity: {
    level: 'recommended',
    rule: '3.3',
    text: 'A created object has a uid, a resourceVersion and a creationTimestamp in RFC 3339, and managedFields, if any, that name the client.',
    subjects: 'creates',
    breaks: 'Garbage collection, caches and conflict checks have nothing to identify the object by.',
  },
  'own-uid': {
    level: 'recommended',
    rule: '3.3',
    text: 'The server sets the uid, the creationTimestamp and the deletionTimestamp of a created object, not the client.',
    subjects: 'creates',
    breaks:
      'An object that is restored from a backup has the uid of another, which owner references point to, or is being deleted.',
  },
  'generated-name': {
    level: 'recommended',
    rule: '7.5',
    text: 'With generateName and no name, two creates make two objects whose names start with generateName.',
    subjects: 'generatedNames',
    breaks: 'A controller that creates several objects from one prefix gets one object, or an error.',
  },
  'taken-name': {
    level: 'recommended',
    rule: '7.5',
    text: 'A create under a name that is in use is refused with 409 and the reason AlreadyExists, and changes nothing.',
    subjects: 'refusedCreates',
    breaks: 'Two instances that race to create one object both believe that they won, and one overwrites the other.',
  },
  'sent-version': {
    level: 'recommended',
    rule: '3.3',
    text: 'A create with a resourceVersion is refused, and stores nothing.',
    subjects: 'refusedCreates',
    breaks: 'A client that means to change what it has read makes a new object in its place.',
  },
  'absent-namespace': {
    level: 'recommended',
    rule: '7.5',
    text: 'A create in a namespace that does not exist is refused with 404 and creates nothing.',
    subjects: 'namespacedCreates',
    breaks: 'Objects end up in a namespace that no client can list or delete.',
  },
  'namespace-mismatch': {
    level: 'recommended',
    rule: '7.8',
    text: 'A create whose body names another namespace than the path is refused with 400 and creates nothing in either namespace.',
    subjects: 'namespacedCreates',
    breaks: 'A manifest of one namespace is created in another without a warning.',
  },
  'name-length': {
    level: 'recommended',
    rule: '11.2',
    text: 'A name of one character, and one of as many as the kind may have, is stored, read, listed, watched and deleted whole.',
    subjects: 'nameLengths',
    breaks: 'Two long names that differ at the end are one object, or an object with a long name cannot be deleted.',
  },
  'name-words': {
    level: 'recommended',
    rule: '11.2',
    text: 'A name may be a word of a path, such as status or watch, a word of JSON, or end as the name of a file does.',
    subjects: 'takenWords',
    breaks: 'An object named status, or app.json, cannot be read, and its delete reaches another object.',
  },
  'name-too-long': {
    level: 'recommended',
    rule: '11.2',
    text: 'A create with a longer name than the kind may have is refused with a client error, and nothing is stored.',
    subjects: 'longNames',
    breaks: 'A Service or a Namespace is created whose name cannot be a host name.',
  },
  'generated-name-length': {
    level: 'recommended',
    rule: '7.5',
    text: 'With a generateName of 253 characters, the name begins like it and is no longer than a name may be.',
    subjects: 'longBases',
    breaks: 'A controller with a long name of its own cannot create anything.',
  },
  race: {
    level: 'recommended',
    rule: '7.5',
    text: 'Of creates of one name at once, exactly one succeeds and is stored, and the others are refused with 409 and the reason AlreadyExists.',
    subjects: 'racingCreates',
    breaks: 'Two instances that race to create one object, such as a lock, both believe that they won.',
  },
} as const satisfies Chapter;
