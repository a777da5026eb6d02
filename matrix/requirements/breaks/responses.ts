// The consequences for clients if a requirement of the chapter responses is violated.
import type { Breaks } from './types.js';

export const responses = [
  [['status'], 'A generated client treats a success as an error and repeats the request, or gives up.'],
  [['media-type', 'body-decodes'], 'A client hands the body to the wrong parser and fails with a syntax error.'],
  [['body-kind'], 'A client cannot tell an object from a list or an error, and typed decoders refuse the body.'],
  [
    ['body-fields'],
    'A client that reads one of these fields gets nothing or a value of the wrong type, and crashes on it.',
  ],
  [['body-schema'], 'A typed client, in Go for example, fails to decode the whole object because of one field.'],
  [['request-type'], 'A manifest that works as JSON fails as YAML, so users must convert files by hand.'],
  [['request-understood'], 'The same manifest creates different objects, depending on the format it was sent in.'],
  [
    ['answer-version'],
    'A client that continues with the returned version gets a conflict on its next write, or overwrites a newer one.',
  ],
] as const satisfies Breaks;
