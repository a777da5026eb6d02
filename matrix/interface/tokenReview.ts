// Section 19 of the interface: token review by a webhook.
import type { Section } from './types.js';

export const tokenReview = {
  number: 19,
  title: 'Token review by a webhook',
  introduction:
    'The server sends a review object to a remote service, and the service says whether the token is good and whose ' +
    'it is. Clients may send the same object to the server.',
  rules: [
    {
      number: '19.1',
      title: 'Configuration',
      text:
        'The configuration file has the format of a kubeconfig. `clusters` names the remote service: `server`, an ' +
        '`https` URL, and `certificate-authority`, the file that verifies it. `users` names the client certificate ' +
        'of the server: `client-certificate` and `client-key`. A context that links the two and a `current-context` ' +
        'are required. The server must ask the service of the current context, present the client certificate to ' +
        'it, and send no token to a service that it cannot verify or that has a plain `http` URL. With an ' +
        'incomplete configuration the server must not start, or must review no token.',
      why: 'A token that is sent to the wrong service is a stolen token.',
      sources: ['Webhook token review/1'],
      details: [
        '```yaml',
        'apiVersion: v1',
        'kind: Config',
        'clusters:',
        '  - name: reviewer',
        '    cluster:',
        '      certificate-authority: /path/to/reviewer-ca.crt',
        '      server: https://reviewer.example.com/review',
        'users:',
        '  - name: api-server',
        '    user:',
        '      client-certificate: /path/to/api-server.crt',
        '      client-key: /path/to/api-server.key',
        'contexts:',
        '  - name: webhook',
        '    context: { cluster: reviewer, user: api-server }',
        'current-context: webhook',
        '```',
      ],
    },
    {
      number: '19.2',
      title: 'When the server asks',
      text:
        'A request with `Authorization: Bearer <token>` that no other mechanism has accepted must make the server ' +
        'POST a review to the remote service. A second request with the same token soon after should be judged ' +
        'without a second review.',
      why: 'The remote service alone knows its tokens, and must not be asked for every request.',
      sources: ['Webhook token review/2'],
    },
    {
      number: '19.3',
      title: 'The group must be enabled',
      text:
        'The mechanism must work with the group `authentication.k8s.io` enabled at `v1beta1`, in Kubernetes by ' +
        '`--runtime-config=authentication.k8s.io/v1beta1=true`.',
      why: 'The review object is an object of this group, and both sides must agree on its version.',
      sources: ['Webhook token review/3', 'Versioning/3'],
    },
    {
      number: '19.4',
      title: 'The review request',
      text:
        'The body is an object with `apiVersion` `authentication.k8s.io/v1beta1` (the domain may differ), `kind` ' +
        '`TokenReview` and `spec.token`, which must be the bearer token, unchanged.',
      why: 'The remote service reads exactly these three fields.',
      sources: [
        'Webhook token review/request apiVersion',
        'Webhook token review/request kind',
        'Webhook token review/request spec.token',
      ],
      details: [
        '```json',
        '{',
        '  "apiVersion": "authentication.k8s.io/v1beta1",',
        '  "kind": "TokenReview",',
        '  "spec": { "token": "bluebird-17-harbour" }',
        '}',
        '```',
      ],
    },
    {
      number: '19.5',
      title: 'The review response',
      text:
        'The response has the `apiVersion` and the `kind` of the request. `spec` is ignored and may be missing. ' +
        '`status.authenticated` is a boolean. When it is true, the request must be accepted as the user of ' +
        '`status.user`: `username`, `uid`, `groups` (a list of strings) and `extra` (a map from strings to lists of ' +
        'strings).',
      why: 'The names in the response are the names that authorization sees.',
      sources: [
        'Webhook token review/response apiVersion, kind',
        'Webhook token review/response spec',
        'Webhook token review/response status.authenticated',
        'Webhook token review/response status.user.username',
        'Webhook token review/response status.user.uid',
        'Webhook token review/response status.user.groups',
        'Webhook token review/response status.user.extra',
      ],
      details: [
        '```json',
        '{',
        '  "apiVersion": "authentication.k8s.io/v1beta1",',
        '  "kind": "TokenReview",',
        '  "status": {',
        '    "authenticated": true,',
        '    "user": {',
        '      "username": "alice",',
        '      "uid": "1001",',
        '      "groups": ["payments", "on-call"],',
        '      "extra": { "example.com/region": ["north", "south"] }',
        '    }',
        '  }',
        '}',
        '```',
      ],
    },
    {
      number: '19.6',
      title: 'Refusals and failures of the remote service',
      text:
        'When the token is not good, the service returns `status.authenticated` false and no user, and may add an ' +
        'HTTP status. The server must refuse the request, also when the response names a user. A response with the ' +
        'status 201, or with a charset beside its media type, should be read like any other. A response that ' +
        'cannot be read, that is of another version, that redirects or whose HTTP status is not a success should refuse ' +
        'the request; a 500 should be tried again; a service that does not answer should delay the request for a ' +
        'bounded time only, and the next request should ask it again.',
      why: 'A failing token service must never open the cluster.',
      sources: ['Webhook token review/failure'],
    },
    {
      number: '19.7',
      title: 'Versions of review objects',
      text:
        'Review objects follow the rules of all versioned objects: beta versions promise less compatibility than ' +
        'stable ones. The remote service must check the `apiVersion` of the request before ' +
        'decoding it.',
      why: 'A later server may send a later version to the same service.',
      sources: ['Versioning/2'],
    },
    {
      number: '19.8',
      title: 'Reviews that a client asks for',
      text:
        'A POST of a `TokenReview` to the server should return `status.authenticated` and, for a valid token, the ' +
        'user. A review without a token should be refused with a client error. Reviews can be posted, and not ' +
        'listed or read.',
      why: 'Services in the cluster check the tokens of their own callers this way.',
      sources: [],
    },
  ],
} as const satisfies Section;
