// The server's own OpenAPI: what a server declares about the kinds that only it knows. Its own word is required of it.
import type { Chapter } from '../types.js';

export const openapi = {
  status: {
    level: 'convention',
    source: ['Conventions/1', 'Conventions/6'],
    text: "A success has a status code that the server's own OpenAPI declares for the operation.",
    subjects: 'declaredAnswers',
  },
  'media-type': {
    level: 'convention',
    source: ['Conventions/4 group paths', 'Conventions/6'],
    text: "A success has a media type that the server's own OpenAPI declares for the operation.",
    subjects: 'declaredAnswers',
  },
  'body-schema': {
    level: 'convention',
    source: ['Other rules/3', 'Conventions/6'],
    text: "The body of a response is valid by the schema that the server's own OpenAPI declares for it.",
    subjects: 'declaredAnswers',
  },
  accept: {
    level: 'convention',
    source: ['Conventions/4 group paths', 'What the service does/5'],
    text: 'The server responds in each media type that its own OpenAPI declares for the response, if a request asks for it.',
    subjects: 'declaredAccepts',
  },
  'content-type': {
    level: 'convention',
    source: ['Conventions/3', 'What the service does/5'],
    text: 'The server accepts a body in each media type that its own OpenAPI declares for the request.',
    subjects: 'declaredBodies',
  },
  parameters: {
    level: 'convention',
    source: ['Parameters/LW', 'Parameters/PR'],
    text: 'The server accepts each query parameter that its own OpenAPI declares for the operation.',
    subjects: 'declaredParameters',
  },
  'parameter-effects': {
    level: 'convention',
    source: ['Parameters/labelSelector', 'Parameters/fieldSelector'],
    text: "A selector and a limit have their effect on a list if the server's own OpenAPI declares them for the operation.",
    subjects: 'declaredSelections',
  },
  'dry-run': {
    level: 'convention',
    source: ['Parameters/PR', 'Conventions/6'],
    text: "A write with dryRun stores nothing if the server's own OpenAPI declares the parameter for the operation.",
    subjects: 'declaredDryRuns',
  },
} as const satisfies Chapter;
