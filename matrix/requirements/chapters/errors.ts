// Errors: the response to a refused request. The document leaves the responses open, so the rows are conventions.
import type { Chapter } from '../types.js';

const source = ['Errors/1'] as const;

export const errors = {
  'malformed-body': {
    level: 'convention',
    source,
    text: 'A body that cannot be decoded to an object is refused with 400 and the reason BadRequest.',
    subjects: 'malformedBodies',
  },
  'wrong-kind': {
    level: 'convention',
    source,
    text: 'A body of another kind or version than the path accepts is refused with 400.',
    subjects: 'wrongKinds',
  },
  'missing-body': {
    level: 'stated',
    source: ['Conventions/2', 'Parameters/body'],
    text: 'A write without its required body is refused with a client error, and writes nothing.',
    words:
      'A request body is a single body parameter named body, required for create, replace, patch and status writes',
    subjects: 'missingBodies',
  },
  'missing-patch': {
    level: 'stated',
    source: ['Conventions/2', 'Parameters/body', 'Generic operation set/partial update'],
    words: 'required for create, replace, patch and status writes',
    text: 'A patch without its required body is refused, and changes nothing.',
    subjects: 'missingPatches',
  },
  'missing-patch-client-error': {
    level: 'convention',
    source,
    text: 'A patch without a body is refused with a client error.',
    subjects: 'missingPatches',
  },
  'refused-changes-nothing': {
    level: 'convention',
    source,
    text: 'A write whose body cannot be decoded, or has a wrong type or kind, is refused and changes nothing.',
    subjects: 'refusedBodies',
  },
  'unsupported-media-type': {
    level: 'convention',
    source: ['Conventions/3'],
    text: 'A body of a type that the server cannot decode is refused with 415.',
    subjects: 'unknownMediaTypes',
  },
  'unsupported-patch-type': {
    level: 'stated',
    source: ['Conventions/3'],
    text: 'A patch of another type than the three patch types is refused with a client error, and changes nothing.',
    words:
      'application/json-patch+json, application/merge-patch+json and application/strategic-merge-patch+json for every PATCH',
    subjects: 'unknownPatchTypes',
  },
  'unsupported-patch-type-answer': {
    level: 'convention',
    source: ['Conventions/3', 'Errors/1'],
    text: 'A patch of another type than the three patch types is refused with 415, and the reason, if there is one, says so.',
    subjects: 'unknownPatchTypes',
  },
  'not-acceptable': {
    level: 'convention',
    source: ['Conventions/4 core group', 'Conventions/4 group paths'],
    text: 'A request that accepts none of the declared types is refused with 406.',
    subjects: 'unacceptableTypes',
  },
  accept: {
    level: 'convention',
    source: ['Conventions/4 core group', 'Conventions/4 group paths'],
    text: 'A request without Accept, or with */*, gets JSON; of several types, the preferred one that the server has wins.',
    subjects: 'acceptForms',
  },
  'invalid-name': {
    level: 'convention',
    source,
    text: 'A create without a name, or with an invalid one, is refused with 422 and names metadata.name among the causes.',
    subjects: 'invalidNames',
  },
  'status-schema': {
    level: 'convention',
    source,
    text: 'The Status of an error is valid by the JSON Schema of its kind, with its details and causes.',
    subjects: 'invalidNames',
  },
  'method-not-allowed': {
    level: 'convention',
    source,
    text: 'A method that a known path does not have is refused with 405.',
    subjects: 'methodsNotAllowed',
  },
  'unknown-path': {
    level: 'convention',
    source,
    text: 'A path that does not exist is refused with 404.',
    subjects: 'unknownPaths',
  },
  unauthenticated: {
    level: 'stated',
    source: ['What the service does/4', 'General rules/1'],
    text: 'A request without credentials, or with wrong ones, is refused with a client error and is not treated as a request of a user.',
    words: 'Every process that calls the service, inside or outside the cluster, must authenticate',
    subjects: 'unauthenticated',
  },
  'unauthenticated-status': {
    level: 'convention',
    source: ['Errors/2'],
    text: 'A request without credentials, or with wrong ones, is refused with 401, or with a 403 to the anonymous user.',
    subjects: 'unauthenticated',
  },
  'too-large': {
    level: 'convention',
    source: ['Limits/4'],
    text: 'A body of 4 MiB is refused with 413 or another client error, and the connection or the next one continues to work.',
    subjects: 'largeBodies',
  },
  hostile: {
    level: 'convention',
    source,
    text: 'Input that is built to do harm is refused with a client error, and the server continues to work.',
    subjects: 'hostileBodies',
  },
} as const satisfies Chapter;
