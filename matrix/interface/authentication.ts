// Section 17 of the interface: authentication.
import type { Section } from './types.js';

export const authentication = {
  number: 17,
  title: 'Authentication',
  introduction:
    'Every request belongs to a user. This section says how the server finds the user; what the user may do ' +
    '(authorization) is outside this specification.',
  rules: [
    {
      number: '17.1',
      title: 'Every request is authenticated',
      text:
        'A request belongs to a normal user or to a service account, and every process that calls the server must ' +
        'authenticate, inside and outside the cluster. A valid credential of an enabled mechanism must be accepted ' +
        'on every operation. The seven mechanisms are client certificates, static bearer tokens, HTTP basic ' +
        'authentication with a password file, service-account tokens, OpenID Connect ID tokens, token review by a ' +
        'webhook, and a password check by an identity service. The name of an authorization scheme (`Bearer`, ' +
        '`Basic`) should be read in upper and lower case.',
      why: 'Nothing in the cluster is safe when one path can be called without a user.',
      sources: ['What the service does/4', 'General rules/1'],
      table: 'mechanisms',
    },
    {
      number: '17.2',
      title: 'Normal users are not objects',
      text:
        'Normal users are managed outside the server. The server must have no kind for them, and no request may ' +
        'create one.',
      why: 'Users of a company come from its directory, and the cluster must not have a second list.',
      sources: ['What the service does/4 normal users'],
    },
    {
      number: '17.3',
      title: 'Several mechanisms at once',
      text:
        'Several mechanisms may be enabled, and each must accept its own users. The first mechanism that succeeds ' +
        'decides, in an order that is not defined. A valid credential must be accepted even beside a bad one of ' +
        'another mechanism, and a request with valid credentials of two users belongs to one of them.',
      why: 'A cluster has people with ID tokens, nodes with certificates and Pods with tokens at the same time.',
      sources: ['General rules/2'],
    },
    {
      number: '17.4',
      title: 'Attributes of a user',
      text:
        'A mechanism gives a user name, a uid, groups and extra attributes. They are opaque: authentication must ' +
        'not interpret them, and only authorization gives them a meaning. They must pass unchanged.',
      why: 'Authorization rules compare these strings exactly.',
      sources: ['General rules/3'],
    },
    {
      number: '17.5',
      title: 'Names and attributes that are left open',
      text:
        'The names of two options for service accounts, the options of OpenID Connect and the full list of ' +
        'attributes are not part of this specification. Each authenticated user should be in the group ' +
        '`system:authenticated`. A `SelfSubjectReview` should return the attributes of the caller.',
      why: 'Rules for "every authenticated user" rest on this group.',
      sources: ['General rules/4'],
    },
    {
      number: '17.6',
      title: 'Refused credentials',
      text:
        'A request without credentials, or with invalid ones, must be refused with a client error, on every ' +
        'operation. The status should be 401. Where anonymous access is on, the request may be treated as one of ' +
        'the user `system:anonymous`. A refused write must change nothing. A refusal should not repeat the ' +
        'credential, and should come on an unknown path too.',
      why: 'A client that gets 401 renews its credential; with any other status it does not know that it has to.',
      sources: ['Errors/2'],
    },
    {
      number: '17.7',
      title: 'Unusual headers',
      text:
        'A header with another scheme, without a value, with control characters or of a megabyte should be refused ' +
        'with a client error, or the connection may be closed. Of two `Authorization` headers the first is used, or ' +
        'the request is refused.',
      why: 'Proxies and broken clients send such headers every day.',
      sources: [],
    },
    {
      number: '17.8',
      title: 'Requests for another user',
      text:
        'This interface has no requests for another user. A server that gets the headers `Impersonate-User`, ' +
        '`Impersonate-Group` or `Impersonate-Extra-…` should treat the request as one of that user, or refuse it. It ' +
        'should never treat it as a request of the sender.',
      why: 'An administrator or a proxy that asks for fewer rights would otherwise act with all of them.',
      sources: [],
    },
  ],
} as const satisfies Section;
