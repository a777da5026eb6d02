// Every mechanism that the server has, a row each: how its options make it an authenticator.
import type { Mechanism } from '../../matrix/api/index.js';
import type { CompleteOptions } from '../options.js';
import type { Authenticator } from './authenticator.js';
import { staticToken } from './staticToken.js';
import type { NamedAuthenticator } from './union.js';

/**
 * Makes a mechanism's authenticator, or nothing where its options are absent. Throws OptionError on bad ones.
 * Calls to remote services end when `stopping` aborts.
 */
type Setup = (
  options: CompleteOptions,
  stopping: AbortSignal,
) => Promise<Authenticator | undefined> | Authenticator | undefined;

const setups: Partial<Record<Mechanism, Setup>> = {
  staticToken: ({ tokens }) => (tokens.length === 0 ? undefined : staticToken(tokens)),
  openidConnect: whenGiven('oidc', () => import('./openidConnect.js')),
  webhookTokenReview: whenGiven('authenticationTokenWebhook', () => import('./webhookTokenReview.js')),
  identityServicePassword: whenGiven('experimentalKeystone', () => import('./identityServicePassword.js')),
};

/** Loads a mechanism, and the libraries that it needs, only where one of its options is given: servers start faster. */
function whenGiven(prefix: string, load: () => Promise<{ setUp: Setup }>): Setup {
  return async (options, stopping) => {
    if (!Object.keys(options).some((name) => name.startsWith(prefix))) return undefined;
    return (await load()).setUp(options, stopping);
  };
}

/**
 * The authenticators that the options enable, in the order in which they are asked: those that ask nobody come first.
 * `stopping` ends their calls to remote services.
 */
export async function createAuthenticators(
  options: CompleteOptions,
  stopping: AbortSignal,
): Promise<NamedAuthenticator[]> {
  const enabled: NamedAuthenticator[] = [];
  for (const [name, setup] of Object.entries(setups)) {
    const authenticate = await setup(options, stopping);
    if (authenticate !== undefined) enabled.push({ name, authenticate });
  }
  return enabled;
}
