// Section 22 of the interface: errors.
import type { Section } from './types.js';

export const errors = {
  number: 22,
  title: 'Errors',
  introduction:
    'This interface states when a request must be refused. Which code and which body a refusal has is recommended, ' +
    'and follows Kubernetes.',
  rules: [
    {
      number: '22.1',
      title: 'Status codes',
      text:
        'The status codes that are required are 200, and any success for discovery, connections and proxies. Errors ' +
        'should have the codes of Kubernetes: 400 for a request that cannot be read, 401 and 403 for users, 404 for ' +
        'absent objects and unknown paths, 405 for a method that the path does not have, 406 and 415 for media ' +
        'types, 409 for conflicts, 410 for old versions, 413 for large bodies and 422 for invalid objects.',
      why: 'Client libraries turn these codes into the errors that programs handle.',
      sources: ['Errors/1'],
    },
    {
      number: '22.2',
      title: 'Body of an error',
      text:
        'The body of an error should be a `Status` object with `status` `Failure`, a `code`, a `reason`, a ' +
        '`message` and, where there is more to say, `details` with the name, the kind and the causes.',
      why: 'People read the message and programs read the reason.',
      sources: [],
    },
    {
      number: '22.3',
      title: 'Hostile input',
      text:
        'Input that is built to do harm, such as deep nesting, huge numbers or a body of many megabytes, should be ' +
        'refused with a client error, and the server should continue to work.',
      why: 'Everybody who may send a request could otherwise stop the server for all.',
      sources: [],
    },
  ],
} as const satisfies Section;
