// The authentication mechanisms, one row each: how the options make an authenticator.
import type { Mechanism } from '../../matrix/api/index.js';
import type { Feature } from '../features/features.js';
import { anonymous, anonymousUnlessOurs } from './anonymous.js';
import type { Authenticator } from './authenticator.js';
import { type BoundHolders, boundToken } from './boundToken.js';
import { clientCertificate } from './clientCertificate.js';
import type { AuthenticatorOptions } from './options.js';
import { checkAuthorities } from './pem.js';
import { serviceAccountToken, type TokenHolders } from './serviceAccountToken.js';
import { readPasswordFile, staticPassword } from './staticPassword.js';
import { staticToken } from './staticToken.js';
import type { NamedAuthenticator } from './union.js';
import { verifiedBy } from './verifiedCertificate.js';

interface Dependencies {
  /** Absent if the server has no cluster. */
  readonly tokenHolders?: TokenHolders & BoundHolders;
  /** Ends calls to remote services when it aborts. */
  readonly stopping: AbortSignal;
}

type LoadedSetup = (options: AuthenticatorOptions, stopping: AbortSignal) => Promise<Authenticator> | Authenticator;

/**
 * Makes the authenticator of a mechanism, or returns undefined if its options are absent. Throws OptionError for
 * invalid options.
 */
type Setup = (
  options: AuthenticatorOptions,
  dependencies: Dependencies,
) => Promise<Authenticator | undefined> | Authenticator | undefined;

const setups: Partial<Record<Mechanism | 'requestHeader' | 'boundToken' | 'anonymous', Setup>> = {
  requestHeader: whenGiven('proxyAuthorities', async () => (await import('./requestHeader.js')).setUpRequestHeader),
  clientCertificate: ({ clientCertificates, clientAuthorities = '', proxyAuthorities }) => {
    if (clientCertificates !== true) return undefined;
    const authorities = clientAuthorities && checkAuthorities('clientAuthorities', clientAuthorities);
    return clientCertificate(verifiedBy(authorities, proxyAuthorities === undefined));
  },
  staticToken: ({ tokens, componentTokens = [] }) => {
    const all = [...tokens, ...componentTokens];
    return all.length === 0 ? undefined : staticToken(all);
  },
  staticPassword: async ({ basicAuthFile }) =>
    basicAuthFile === undefined ? undefined : staticPassword(await readPasswordFile(basicAuthFile)),
  serviceAccountToken: (_, { tokenHolders }) =>
    tokenHolders === undefined ? undefined : serviceAccountToken(tokenHolders),
  boundToken: (_, { tokenHolders }) => (tokenHolders === undefined ? undefined : boundToken(tokenHolders)),
  openidConnect: whenGiven('oidc', async () => (await import('./openidConnect.js')).setUpOpenidConnect),
  webhookTokenReview: whenGiven(
    'authenticationTokenWebhook',
    async () => (await import('./webhookTokenReview.js')).setUpTokenReview,
  ),
  identityServicePassword: whenGiven(
    'experimentalKeystone',
    async () => (await import('./identityServicePassword.js')).setUpIdentityService,
  ),
  anonymous: (options) => (options.anonymousAuth === true ? anonymousOf(options) : undefined),
};

function anonymousOf({ authorizationMode, basicAuthFile, experimentalKeystoneUrl, lacks }: AuthenticatorOptions) {
  if (authorizationMode === 'AlwaysAllow') return anonymous;
  const passwords = basicAuthFile !== undefined && !lacks('static-password');
  return anonymousUnlessOurs(passwords || (experimentalKeystoneUrl !== undefined && !lacks('identity-service')));
}

/** Mechanisms that a server may lack; their options then have no effect. */
const gone: Readonly<Record<string, Feature>> = {
  staticPassword: 'static-password',
  identityServicePassword: 'identity-service',
};

/** Loads a mechanism and its libraries only if one of its options is set, so that servers start faster. */
function whenGiven(prefix: string, load: () => Promise<LoadedSetup>): Setup {
  return async (options, { stopping }) => {
    if (!Object.keys(options).some((name) => name.startsWith(prefix))) return undefined;
    const setUp = await load();
    return setUp(options, stopping);
  };
}

/** Makes the authenticators that the options enable, in the order of their calls: remote services come last. */
export async function createAuthenticators(
  options: AuthenticatorOptions,
  dependencies: Dependencies,
): Promise<NamedAuthenticator[]> {
  const enabled: NamedAuthenticator[] = [];
  for (const [name, setup] of Object.entries(setups)) {
    const feature = gone[name];
    if (feature !== undefined && options.lacks(feature)) continue;
    const authenticate = await setup(options, dependencies);
    if (authenticate !== undefined) enabled.push({ name, authenticate });
  }
  return enabled;
}
