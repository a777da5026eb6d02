// Section 18 of the interface: mechanisms.
import type { Section } from './types.js';

export const mechanisms = {
  number: 18,
  title: 'Mechanisms',
  introduction:
    'Each mechanism is enabled by options at the start of the server. The files belong to the administrator.',
  rules: [
    {
      number: '18.1',
      title: 'Client certificates',
      text:
        '`--client-ca-file=<file>` enables client certificates. The file holds one or more certificate authorities ' +
        'in PEM. A certificate that one of them signed must be accepted, and the common name of its subject must be ' +
        'the user name. Every other certificate must be refused, and so must one that is expired or not valid yet. ' +
        'The organizations of the subject should be the groups; a certificate that has no common name or is not for ' +
        'client authentication should be refused. Of several common names the last one, which is the most specific, ' +
        'should be the user name, or the certificate is refused.',
      why: 'Nodes and administrators identify themselves by certificates.',
      sources: ['Mechanisms/Client certificate'],
    },
    {
      number: '18.2',
      title: 'Static tokens',
      text:
        '`--token-auth-file=<file>` enables static tokens. The file is CSV with at least three columns: token, user ' +
        'name, user uid, and then optional group names. Several groups are in one column, in double quotes, ' +
        'separated by commas. A request carries `Authorization: Bearer <token>`, and only the exact token must be ' +
        'accepted. Tokens do not expire; a change of the file must take effect at the next start of the server and ' +
        'not before.',
      why: 'Bootstrap scripts and small installations use static tokens.',
      sources: ['Mechanisms/Static token file'],
      details: [
        '```csv',
        'bluebird-17-harbour,alice,1001',
        'lantern-42-meadow,bob,1002,developers',
        'quarry-93-saffron,carol,1003,"developers,admins"',
        '```',
      ],
    },
    {
      number: '18.3',
      title: 'Static passwords',
      text:
        '`--basic-auth-file=<file>` enables static passwords. The file is CSV with three columns: password, user ' +
        'name, user id. A request carries `Authorization: Basic <base64 of user:password>`; the first colon ends ' +
        'the user name, and the password may contain colons. Passwords do not expire; a change must take effect at ' +
        'the next start of the server. The mechanism is meant for convenience.',
      why: 'It is the simplest way to try a server with a browser or with curl.',
      sources: ['Mechanisms/Static password file'],
      details: ['```csv', 'maple-winter,alice,1001', 'with:a:colon,bob,1002', '```'],
    },
    {
      number: '18.4',
      title: 'Service-account tokens',
      text:
        'Service-account tokens are always enabled. A token is a signed JWT that is sent as a bearer token. The ' +
        'user name must be `system:serviceaccount:<namespace>:<name>`, and the groups must be ' +
        '`system:serviceaccounts` and `system:serviceaccounts:<namespace>`. The token must be valid from outside ' +
        'the cluster too. A token with a changed payload, a foreign signature or another algorithm must be refused. ' +
        'A token should no longer be accepted when its Secret, its account or its namespace is deleted.',
      why: 'Every controller that runs in a Pod calls the server with such a token.',
      sources: ['Mechanisms/Service account token'],
    },
    {
      number: '18.5',
      title: 'OpenID Connect',
      text:
        'An OpenID Connect plugin accepts the ID token of an issuer, a signed JWT, as a bearer token. The server ' +
        'must verify the signature and the audience and derive the user from the token. It is not an OAuth 2.0 ' +
        'client and starts no login. It trusts one client; an ID token for that client that the issuer gave to ' +
        'another one, as the claim `azp` says, must be accepted. A token of another issuer or outside its time ' +
        'should be refused, tokens signed with RS256, ES256 and PS256 should be accepted, also after the issuer has ' +
        'changed its keys, and an issuer that is down should not stop the other mechanisms. Without a chosen claim ' +
        'the user name should be `<issuer>#<subject>`. The options are `--oidc-issuer-url`, `--oidc-client-id`, ' +
        '`--oidc-username-claim`, `--oidc-groups-claim` and `--oidc-ca-file` in Kubernetes.',
      why: 'Companies log their people in at one place.',
      sources: ['Mechanisms/OpenID Connect'],
    },
    {
      number: '18.6',
      title: 'Webhook token review',
      text:
        '`--authentication-token-webhook-config-file=<file>` makes the server ask a remote service about bearer ' +
        'tokens. Section 19 says how. A request without a bearer token is not challenged: the server must ask ' +
        'nothing.',
      why: 'An organization can connect its own token service without changing the server.',
      sources: ['Mechanisms/Webhook token review'],
    },
    {
      number: '18.7',
      title: 'Password check by an identity service',
      text:
        '`--experimental-keystone-url=<URL>` makes the server ask an identity service (OpenStack Keystone) about ' +
        'the user name and the password of a basic header. A confirmed password must be accepted, and a refused or ' +
        'unconfirmed one must not. The service is asked with a POST to `<URL>/tokens` whose JSON body has ' +
        '`auth.passwordCredentials` with `username` and `password`; 200 confirms. A service that is down should not ' +
        'stop the other mechanisms. The option is experimental and may change.',
      why: 'Clusters on OpenStack let people use the account that they already have.',
      sources: ['Mechanisms/Identity-service password'],
    },
  ],
} as const satisfies Section;
