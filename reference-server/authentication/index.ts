// Every mechanism that the server has, a row each: how its options make it an authenticator.
import type { Mechanism } from '../../matrix/api/index.js';
import type { CompleteOptions } from '../options.js';
import type { Registry } from '../registry/registry.js';
import { anonymous } from './anonymous.js';
import type { Authenticator } from './authenticator.js';
import { clientCertificate } from './clientCertificate.js';
import { serviceAccountToken } from './serviceAccountToken.js';
import { readPasswordFile, staticPassword } from './staticPassword.js';
import { staticToken } from './staticToken.js';
import type { NamedAuthenticator } from './union.js';

/**
 * Makes a mechanism's authenticator, or nothing where its options are absent. Throws OptionError on bad ones.
 * The registry is absent where the server stands without a cluster.
 */
type Setup = (
  options: CompleteOptions,
  registry: Registry | undefined,
) => Promise<Authenticator | undefined> | Authenticator | undefined;

const setups: Partial<Record<Mechanism | 'anonymous', Setup>> = {
  clientCertificate: ({ clientAuthorities }) => (clientAuthorities === undefined ? undefined : clientCertificate()),
  staticToken: ({ tokens }) => (tokens.length === 0 ? undefined : staticToken(tokens)),
  staticPassword: async ({ basicAuthFile }) =>
    basicAuthFile === undefined ? undefined : staticPassword(await readPasswordFile(basicAuthFile)),
  serviceAccountToken: (_, registry) => (registry === undefined ? undefined : serviceAccountToken(registry)),
  anonymous: ({ anonymousAuth }) => (anonymousAuth === true ? anonymous : undefined),
};

/** The authenticators that the options enable, in the order in which they are asked. */
export async function createAuthenticators(
  options: CompleteOptions,
  registry?: Registry,
): Promise<NamedAuthenticator[]> {
  const enabled: NamedAuthenticator[] = [];
  for (const [name, setup] of Object.entries(setups)) {
    const authenticate = await setup(options, registry);
    if (authenticate !== undefined) enabled.push({ name, authenticate });
  }
  return enabled;
}
