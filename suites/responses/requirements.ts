// Responses: the rules for the response to every operation.
import type { Chapter } from '../requirements/types.js';

export const responses = {
  status: {
    level: 'required',
    rule: '4.1',
    text: 'A successful operation returns 200, also for a create; discovery returns any 2xx status.',
    words:
      'A successful operation returns HTTP 200 with description success. Discovery and connect/proxy operations declare default (success) instead',
    subjects: 'responses',
    breaks: 'A generated client treats a success as an error and repeats the request, or gives up.',
  },
  'media-type': {
    level: 'required',
    rule: '4.2',
    text: 'The response has the media type that the client asked for.',
    words: 'Wire formats are JSON, YAML and a binary protobuf-based vendor media type',
    subjects: 'responses',
    breaks: 'A client hands the body to the wrong parser and fails with a syntax error.',
  },
  'body-decodes': {
    level: 'required',
    rule: '4.2',
    text: 'The body of the response is well-formed in the media type that its Content-Type names.',
    words: 'Wire formats are JSON, YAML and a binary protobuf-based vendor media type',
    subjects: 'responses',
    breaks: 'A client hands the body to the wrong parser and fails with a syntax error.',
  },
  'body-kind': {
    level: 'required',
    rule: '4.6',
    text: 'The body of the response is an object with apiVersion and kind: the resource, its list or a Status.',
    words: 'any object | kind | string | kind name',
    subjects: 'responses',
    breaks: 'A client cannot tell an object from a list or an error, and typed decoders refuse the body.',
  },
  'body-fields': {
    level: 'required',
    rule: '4.6',
    words: 'any object | metadata.name | string | object name',
    text: 'The body of the response has the fields that the interface lists for its kind, with their types; in a list, each item has them.',
    subjects: 'responses',
    breaks: 'A client that reads one of these fields gets nothing or a value of the wrong type, and crashes on it.',
    onlyOwnKinds: 'the interface lists no fields of these kinds',
  },
  'body-schema': {
    level: 'recommended',
    rule: '3.8',
    text: 'The body of the response is valid by the JSON Schema of its kind: fields, types, formats and required fields.',
    subjects: 'responses',
    breaks: 'A typed client, in Go for example, fails to decode the whole object because of one field.',
    onlyOwnKinds: 'the table has no types of these kinds',
  },
  'request-type': {
    level: 'required',
    rule: '4.3',
    text: 'A body is accepted as JSON, as YAML, in the group paths as protobuf, and without a Content-Type, with the same success.',
    words: 'Any type (declared as /) for other operations with a body',
    subjects: 'requests',
    breaks: 'A manifest that works as JSON fails as YAML, so users must convert files by hand.',
  },
  'request-understood': {
    level: 'required',
    rule: '4.3',
    text: 'The server does what the body says, whichever media type carries it.',
    words: 'Any type (declared as /) for other operations with a body',
    subjects: 'requests',
    breaks: 'The same manifest creates different objects, depending on the format it was sent in.',
  },
  'answer-version': {
    level: 'recommended',
    rule: '3.3',
    text: 'The response to a write has the resourceVersion that the write gave the object.',
    subjects: 'versionedWrites',
    breaks:
      'A client that continues with the returned version gets a conflict on its next write, or overwrites a newer one.',
  },
} as const satisfies Chapter;
