// Every mechanism that the server has, a row each: how its options make it an authenticator.
import type { Mechanism } from '../../matrix/api/index.js';
import type { CompleteOptions } from '../options.js';
import type { Authenticator } from './authenticator.js';
import { staticToken } from './staticToken.js';
import type { NamedAuthenticator } from './union.js';

/** Makes a mechanism's authenticator, or nothing where its options are absent. Throws OptionError on bad ones. */
type Setup = (options: CompleteOptions) => Promise<Authenticator | undefined> | Authenticator | undefined;

const setups: Partial<Record<Mechanism, Setup>> = {
  staticToken: ({ tokens }) => (tokens.length === 0 ? undefined : staticToken(tokens)),
};

/** The authenticators that the options enable, in the order in which they are asked. */
export async function createAuthenticators(options: CompleteOptions): Promise<NamedAuthenticator[]> {
  const enabled: NamedAuthenticator[] = [];
  for (const [name, setup] of Object.entries(setups)) {
    const authenticate = await setup(options);
    if (authenticate !== undefined) enabled.push({ name, authenticate });
  }
  return enabled;
}
