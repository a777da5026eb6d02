// Every mechanism that the server has, a row each: how its options make it an authenticator.
import type { Mechanism } from '../../matrix/api/index.js';
import type { Feature } from '../features/features.js';
import type { CompleteOptions } from '../options.js';
import type { Registry } from '../registry/registry.js';
import { anonymous, anonymousUnlessOurs } from './anonymous.js';
import type { Authenticator } from './authenticator.js';
import { clientCertificate } from './clientCertificate.js';
import { serviceAccountToken } from './serviceAccountToken.js';
import { readPasswordFile, staticPassword } from './staticPassword.js';
import { staticToken } from './staticToken.js';
import type { NamedAuthenticator } from './union.js';

/** What authenticators need of the server. */
interface Surroundings {
  /** Absent where the server stands without a cluster. */
  readonly registry?: Registry;
  /** Calls to remote services end when it aborts. */
  readonly stopping: AbortSignal;
}

type RemoteSetup = (options: CompleteOptions, stopping: AbortSignal) => Promise<Authenticator>;

/**
 * Makes a mechanism's authenticator, or nothing where its options are absent. Throws OptionError on bad ones.
 */
type Setup = (
  options: CompleteOptions,
  surroundings: Surroundings,
) => Promise<Authenticator | undefined> | Authenticator | undefined;

const setups: Partial<Record<Mechanism | 'anonymous', Setup>> = {
  clientCertificate: ({ clientAuthorities }) => (clientAuthorities === undefined ? undefined : clientCertificate()),
  staticToken: ({ tokens }) => (tokens.length === 0 ? undefined : staticToken(tokens)),
  staticPassword: async ({ basicAuthFile }) =>
    basicAuthFile === undefined ? undefined : staticPassword(await readPasswordFile(basicAuthFile)),
  serviceAccountToken: (_, { registry }) => (registry === undefined ? undefined : serviceAccountToken(registry)),
  openidConnect: whenGiven('oidc', () => import('./openidConnect.js')),
  webhookTokenReview: whenGiven('authenticationTokenWebhook', () => import('./webhookTokenReview.js')),
  identityServicePassword: whenGiven('experimentalKeystone', () => import('./identityServicePassword.js')),
  anonymous: (options) => (options.anonymousAuth === true ? anonymousOf(options) : undefined),
};

function anonymousOf({ authorizationMode, basicAuthFile, experimentalKeystoneUrl, lacks }: CompleteOptions) {
  if (authorizationMode === 'AlwaysAllow') return anonymous;
  const passwords = basicAuthFile !== undefined && !lacks('static-password');
  return anonymousUnlessOurs(passwords || (experimentalKeystoneUrl !== undefined && !lacks('identity-service')));
}

/** Mechanisms that a server can lack: their options have no effect there. */
const gone: Readonly<Record<string, Feature>> = {
  staticPassword: 'static-password',
  identityServicePassword: 'identity-service',
};

/** Loads a mechanism, and the libraries that it needs, only where one of its options is given: servers start faster. */
function whenGiven(prefix: string, load: () => Promise<{ setUp: RemoteSetup }>): Setup {
  return async (options, { stopping }) => {
    if (!Object.keys(options).some((name) => name.startsWith(prefix))) return undefined;
    return (await load()).setUp(options, stopping);
  };
}

/** The authenticators that the options enable, in the order in which they are asked: those that ask nobody come first. */
export async function createAuthenticators(
  options: CompleteOptions,
  surroundings: Surroundings,
): Promise<NamedAuthenticator[]> {
  const enabled: NamedAuthenticator[] = [];
  for (const [name, setup] of Object.entries(setups)) {
    const feature = gone[name];
    if (feature !== undefined && options.lacks(feature)) continue;
    const authenticate = await setup(options, surroundings);
    if (authenticate !== undefined) enabled.push({ name, authenticate });
  }
  return enabled;
}
