// Replace: the whole object is written, or nothing.
import type { Chapter } from '../requirements/types.js';

export const replace = {
  answer: {
    level: 'recommended',
    rule: '7.6',
    text: 'The response to a replace is the object after the change.',
    subjects: 'replaces',
    breaks: 'A client that continues with the returned object works with an old version of it.',
  },
  'effect-read': {
    level: 'required',
    rule: '7.6',
    text: 'After a replace, a read returns the new body whole: what it left out is gone, and nothing else has changed.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'replaces',
    breaks: '`kubectl replace` reports success, and the object is not what the file says.',
  },
  'effect-list': {
    level: 'required',
    rule: '7.6',
    text: 'After a replace, lists contain the object of the new body whole, once.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'replaces',
    breaks: '`kubectl replace` reports success, and the object is not what the file says.',
  },
  'effect-watch': {
    level: 'required',
    rule: '7.6',
    text: 'A watch reports a replace with the changed object.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'replaces',
    breaks: 'A controller acts on what the object was before the last write.',
  },
  'one-state': {
    level: 'recommended',
    rule: '3.3',
    text: 'After a replace, the response, a read, lists and a watch show the same object at the same resourceVersion.',
    subjects: 'replaces',
    breaks: 'A client and a controller that know the same version of an object believe different things of it.',
  },
  codecs: {
    level: 'required',
    rule: '4.2',
    text: 'After a replace, reads as JSON, as YAML and in the group paths as protobuf show the same object, whole.',
    words: 'Wire formats are JSON, YAML and a binary protobuf-based vendor media type',
    subjects: 'replaces',
    breaks: 'Two clients that read the same object in different media types see different objects.',
  },
  identity: {
    level: 'recommended',
    rule: '3.3',
    text: 'A replace keeps uid and creationTimestamp, also where its body has none, and changes the resourceVersion.',
    subjects: 'replaces',
    breaks: 'A cache takes the changed object for a new one, or does not see the change at all.',
  },
  unconditional: {
    level: 'recommended',
    rule: '7.7',
    text: 'A replace by a manifest, without the uid and without a resourceVersion, succeeds; a Service may need its resourceVersion.',
    subjects: 'replaces',
    breaks: 'A tool that puts what a file says, without a read before, cannot change anything.',
  },
  'no-change': {
    level: 'recommended',
    rule: '3.3',
    text: 'A replace by the current object succeeds and keeps its resourceVersion.',
    subjects: 'replaces',
    breaks: 'Every idle loop of a controller makes a new version and wakes all watchers again.',
  },
  stale: {
    level: 'recommended',
    rule: '7.7',
    text: 'A replace with a stale resourceVersion, or with a newer one of another object, is refused with 409, the reason Conflict and the object in the details, and changes nothing.',
    subjects: 'refusedReplaces',
    breaks: 'Two writers that read the same version overwrite each other, and one change is lost without an error.',
  },
  'name-mismatch': {
    level: 'recommended',
    rule: '7.8',
    text: 'A replace whose body names another object or another namespace than the path is refused with 400 and changes nothing.',
    subjects: 'refusedReplaces',
    breaks: 'A program with a wrong URL overwrites another object.',
  },
  'other-uid': {
    level: 'recommended',
    rule: '7.8',
    text: 'A replace with another uid is refused with 409, or with 422 where the uid is an immutable field, and changes nothing.',
    subjects: 'refusedReplaces',
    breaks: 'A controller overwrites an object that was deleted and created again by another client.',
  },
  absent: {
    level: 'recommended',
    rule: '7.6',
    text: 'A replace of an absent object is refused with 404; it may create endpoints, events, limitranges and services.',
    subjects: 'refusedReplaces',
    breaks: 'A controller revives an object that a user has just deleted.',
  },
  race: {
    level: 'recommended',
    rule: '7.7',
    text: 'Of replaces with one resourceVersion at once, exactly one succeeds and is stored, and the others are refused with 409 and the reason Conflict.',
    subjects: 'racingReplaces',
    breaks:
      'Two writers that read the same version at once overwrite each other, and one change is lost without an error.',
  },
} as const satisfies Chapter;
