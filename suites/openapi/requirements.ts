// The server's own OpenAPI: what a server declares about the kinds that only it knows. What it declares is required of it.
import type { Chapter } from '../requirements/types.js';

export const openapi = {
  status: {
    level: 'recommended',
    rule: '4.7',
    text: "A success has a status code that the server's own OpenAPI declares for the operation.",
    subjects: 'declaredAnswers',
    breaks: 'A client that is generated from the OpenAPI throws on a write that succeeded, and repeats it.',
  },
  'media-type': {
    level: 'recommended',
    rule: '4.7',
    text: "A success has a media type that the server's own OpenAPI declares for the operation.",
    subjects: 'declaredAnswers',
    breaks: 'A client that is generated from the OpenAPI has no parser for the response.',
  },
  'body-schema': {
    level: 'recommended',
    rule: '4.7',
    text: "The body of a response is valid by the schema that the server's own OpenAPI declares for it.",
    subjects: 'declaredAnswers',
    breaks: 'A client that is generated from the OpenAPI fails to decode the object because of one field.',
  },
  accept: {
    level: 'recommended',
    rule: '4.7',
    text: 'The server responds in each media type that its own OpenAPI declares for the response, if a request asks for it.',
    subjects: 'declaredAccepts',
    breaks: 'A client that is generated from the OpenAPI has no parser for the response.',
  },
  'content-type': {
    level: 'recommended',
    rule: '4.7',
    text: 'The server accepts a body in each media type that its own OpenAPI declares for the request.',
    subjects: 'declaredBodies',
    breaks: 'A client sends a body in a type that it read in the OpenAPI, and the write is refused.',
  },
  parameters: {
    level: 'recommended',
    rule: '4.7',
    text: 'The server accepts each query parameter that its own OpenAPI declares for the operation.',
    subjects: 'declaredParameters',
    breaks: 'A client sends a parameter that it read in the OpenAPI, and the whole request is refused.',
  },
  'parameter-effects': {
    level: 'recommended',
    rule: '4.7',
    text: "A selector and a limit have their effect on a list if the server's own OpenAPI declares them for the operation.",
    subjects: 'declaredSelections',
    breaks: 'A client that asks for a part of a list gets all of it, and acts on the wrong objects.',
  },
  'dry-run': {
    level: 'recommended',
    rule: '4.7',
    text: "A write with dryRun stores nothing if the server's own OpenAPI declares the parameter for the operation.",
    subjects: 'declaredDryRuns',
    breaks: 'A preview of a change makes the change.',
  },
} as const satisfies Chapter;
