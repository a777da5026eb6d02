// The flags of `serve` that say how requests are authenticated: a row each, named as the server's options are.
import type { Command } from 'commander';
import type { ServerOptions } from '../reference-server/index.js';
import { UsageError } from './usageError.js';

type Row = readonly [flag: string, description: string, parse?: (text: string) => boolean];

const flags = {
  clientCaFile: ['--client-ca-file <file>', 'CAs that sign client certificates, PEM'],
  tokenAuthFile: [
    '--token-auth-file <file>',
    'static tokens, CSV: token,user,uid,"group1,group2" (default: one generated token)',
  ],
  oidcIssuerUrl: ['--oidc-issuer-url <url>', 'OpenID Connect: the https URL of the issuer of ID tokens'],
  oidcClientId: ['--oidc-client-id <id>', 'OpenID Connect: the client ID that ID tokens must be issued for'],
  oidcCaFile: ['--oidc-ca-file <file>', "CAs of the issuer, PEM (default: the system's CAs)"],
  oidcUsernameClaim: ['--oidc-username-claim <claim>', 'claim that names the user (default: sub)'],
  oidcGroupsClaim: ['--oidc-groups-claim <claim>', "claim that names the user's groups"],
  authenticationTokenWebhookConfigFile: [
    '--authentication-token-webhook-config-file <file>',
    'kubeconfig of the webhook that reviews bearer tokens',
  ],
  authenticationTokenWebhookCacheTtl: [
    '--authentication-token-webhook-cache-ttl <duration>',
    'how long responses of the webhook are cached (default: 2m)',
  ],
  experimentalKeystoneUrl: [
    '--experimental-keystone-url <url>',
    'the https URL of an identity service that confirms passwords, such as https://host:5000/v2.0',
  ],
  experimentalKeystoneCaFile: [
    '--experimental-keystone-ca-file <file>',
    "CAs of the identity service, PEM (default: the system's CAs)",
  ],
  authenticationDomain: [
    '--authentication-domain <domain>',
    'domain of the group of token reviews, authentication.<domain> (default: k8s.io)',
  ],
  basicAuthFile: ['--basic-auth-file <file>', 'static passwords, CSV: password,user,uid,"group1,group2"'],
  serviceAccountKeyFile: [
    '--service-account-key-file <file>',
    'private key that signs service account tokens, PEM (default: generated, and kept in --data-dir)',
  ],
  anonymousAuth: [
    '--anonymous-auth [boolean]',
    'accept requests without credentials, as system:anonymous (default: false)',
    (text) => parseBoolean('--anonymous-auth', text),
  ],
  runtimeConfig: [
    '--runtime-config <switches>',
    "group versions to enable, such as authentication.k8s.io/v1beta1=true for token reviews, the server's and a webhook's",
  ],
} as const satisfies Partial<Record<keyof ServerOptions, Row>>;

type Name = keyof typeof flags;

/** What the command line holds of them. */
export type AuthenticationFlags = Pick<ServerOptions, Name>;

/** Adds the flags to a command. */
export function addAuthenticationFlags(command: Command): void {
  for (const [flag, description, parse] of Object.values<Row>(flags)) {
    if (parse === undefined) command.option(flag, description);
    else command.option(flag, description, parse);
  }
}

/** The options that the flags give; those that were not given are absent. */
export function authenticationOptions(given: AuthenticationFlags): AuthenticationFlags {
  const names = Object.keys(flags) as Name[];
  return Object.fromEntries(names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]));
}

function parseBoolean(flag: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new UsageError(`serve: ${flag}: "${text}" is neither true nor false`);
  return text === 'true';
}
