// Responses: the rules for the response to every operation.
import type { Chapter } from '../types.js';

export const responses = {
  status: {
    level: 'stated',
    source: ['Conventions/1', 'Errors/1'],
    text: 'A successful operation returns 200, also for a create; discovery returns any 2xx status.',
    words:
      'A successful operation returns HTTP 200 with description success. Discovery and connect/proxy operations declare default (success) instead',
    subjects: 'responses',
  },
  'media-type': {
    level: 'stated',
    source: ['Conventions/4 core group', 'Conventions/4 group paths', 'What the service does/5'],
    text: 'The response has the media type that the client asked for.',
    words: 'Wire formats are JSON, YAML and a binary protobuf-based vendor media type',
    subjects: 'responses',
  },
  'body-decodes': {
    level: 'stated',
    source: ['Conventions/4 core group', 'Conventions/4 group paths'],
    text: 'The body of the response is well-formed in the media type that its Content-Type names.',
    words: 'Wire formats are JSON, YAML and a binary protobuf-based vendor media type',
    subjects: 'responses',
  },
  'body-kind': {
    level: 'stated',
    source: ['Fields that are stated/any object apiVersion', 'Fields that are stated/any object kind'],
    text: 'The body of the response is an object with apiVersion and kind: the resource, its list or a Status.',
    words: 'any object | kind | string | kind name',
    subjects: 'responses',
  },
  'body-fields': {
    level: 'stated',
    source: [
      'Fields that are stated/any object apiVersion',
      'Fields that are stated/any object kind',
      'Fields that are stated/any object metadata.name',
    ],
    words: 'any object | metadata.name | string | object name',
    text: 'The body of the response has the fields that the interface lists for its kind, with their types; in a list, each item has them.',
    subjects: 'responses',
  },
  'body-schema': {
    level: 'convention',
    source: ['Other rules/3', 'Conventions/6'],
    text: 'The body of the response is valid by the JSON Schema of its kind: fields, types, formats and required fields.',
    subjects: 'responses',
  },
  'request-type': {
    level: 'stated',
    source: ['Conventions/3', 'What the service does/5'],
    text: 'A body is accepted as JSON, as YAML, in the group paths as protobuf, and without a Content-Type, with the same success.',
    words: 'Any type (declared as /) for other operations with a body',
    subjects: 'requests',
  },
  'request-understood': {
    level: 'stated',
    source: ['Conventions/2', 'Conventions/3'],
    text: 'The server does what the body says, whichever media type carries it.',
    words: 'Any type (declared as /) for other operations with a body',
    subjects: 'requests',
  },
  'answer-version': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'The response to a write has the resourceVersion that the write gave the object.',
    subjects: 'versionedWrites',
  },
} as const satisfies Chapter;
