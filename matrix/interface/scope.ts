// Section 23 of the interface: limits and scope.
import type { Section } from './types.js';

export const scope = {
  number: 23,
  title: 'Limits and scope',
  introduction:
    'This section says what the interface bounds, and what it leaves open. A server is free in everything that it ' +
    'leaves open.',
  rules: [
    {
      number: '23.1',
      title: 'Bounds in the query',
      text:
        '`timeoutSeconds` bounds the duration of a list or a watch, `limitBytes` the size of a log (approximately), ' +
        '`tailLines` its lines and `sinceSeconds` its start. All four are integers of 32 bits, and every value that ' +
        "fits must be accepted. A number of the log's query that is not a number should be an error.",
      why: 'A client must be able to bound what it asks for.',
      sources: ['Limits/1'],
    },
    {
      number: '23.2',
      title: 'Static credentials do not expire',
      text:
        'Static tokens and static passwords stay valid for an unlimited time. A change needs a restart of the ' +
        'server.',
      why: 'An administrator who removes a user from the file has to restart the server, too.',
      sources: ['Limits/2'],
    },
    {
      number: '23.3',
      title: 'Limits that are left open',
      text:
        'Rate limits, limits of request sizes and default timeouts are not part of this specification. Any value ' +
        'conforms.',
      why: 'A client must handle a refusal of a large or frequent request.',
      sources: ['Limits/4'],
    },
    {
      number: '23.4',
      title: 'States and transitions',
      text:
        'Which states an object goes through, and when, is not part of this specification. The recommended ' +
        'requirements follow Kubernetes.',
      why: 'A client that waits for a state needs a timeout.',
      sources: ['States and transitions/not shown'],
    },
    {
      number: '23.5',
      title: 'Authorization',
      text:
        'Which user may do what is not part of this specification. A response 403 to an authenticated user counts ' +
        'as authenticated.',
      why: 'The same client meets clusters with very different policies.',
      sources: ['Authentication/authorization not shown'],
    },
    {
      number: '23.6',
      title: 'Issuing tokens',
      text:
        'It is intended that a later server issues tokens after an external login. This interface has no such ' +
        'operation.',
      why: 'A client must get its tokens elsewhere.',
      sources: ['Authentication/future plan'],
    },
    {
      number: '23.7',
      title: 'Experimental options',
      text:
        'The option for an identity service and the experimental options of OpenID Connect may change in later ' +
        'versions.',
      why: 'An installation that uses them has to check them at each update.',
      sources: ['Versioning/4'],
    },
    {
      number: '23.8',
      title: 'Deprecation',
      text: 'There is no schedule for the deprecation and removal of versions.',
      why: 'A client should be ready for newer group versions of the same kinds.',
      sources: ['Versioning/5'],
    },
  ],
} as const satisfies Section;
