// Responses: what holds for the response to every operation, whatever it does.
import type { Chapter } from '../types.js';

export const responses = {
  status: {
    level: 'stated',
    source: ['Conventions/1', 'Errors/1'],
    text: 'A successful operation answers 200, create included; discovery answers any 2xx.',
    words:
      'A successful operation returns HTTP 200 with description success. Discovery and connect/proxy operations declare default (success) instead',
    subjects: 'responses',
  },
  'media-type': {
    level: 'stated',
    source: ['Conventions/4 core group', 'Conventions/4 group paths', 'What the service does/5'],
    text: 'The answer has the declared media type that the client asked for.',
    words: 'Wire formats are JSON, YAML and a binary protobuf-based vendor media type',
    subjects: 'responses',
  },
  'body-decodes': {
    level: 'stated',
    source: ['Conventions/4 core group', 'Conventions/4 group paths'],
    text: 'The body of the answer is well-formed in the media type that its Content-Type names.',
    words: 'Wire formats are JSON, YAML and a binary protobuf-based vendor media type',
    subjects: 'responses',
  },
  'body-kind': {
    level: 'stated',
    source: ['Fields that are stated/any object apiVersion', 'Fields that are stated/any object kind'],
    text: 'The body is an object with apiVersion and kind: the resource, its list, or a Status.',
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
    text: 'The body has the fields that the document lists for its kind, of the types listed, lists item by item.',
    subjects: 'responses',
  },
  'body-schema': {
    level: 'convention',
    source: ['Other rules/3', 'Conventions/6'],
    text: 'The body is valid by the JSON Schema of its kind: fields, types, formats, and what is required.',
    subjects: 'responses',
  },
  'request-type': {
    level: 'stated',
    source: ['Conventions/3', 'What the service does/5'],
    text: 'A body is accepted as JSON, as YAML, in group paths as protobuf, and without a Content-Type, with the same success.',
    words: 'Any type (declared as /) for other operations with a body',
    subjects: 'requests',
  },
  'request-understood': {
    level: 'stated',
    source: ['Conventions/2', 'Conventions/3'],
    text: 'What a body said is what the server did, whichever media type carried it.',
    words: 'Any type (declared as /) for other operations with a body',
    subjects: 'requests',
  },
  'answer-version': {
    level: 'convention',
    source: ['Conventions/6'],
    text: 'The answer of a write has the resourceVersion that the write gave the object.',
    subjects: 'versionedWrites',
  },
} as const satisfies Chapter;
