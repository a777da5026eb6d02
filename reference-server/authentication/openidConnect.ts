// OpenID Connect: an ID token of the one issuer, for the one client, is the bearer token (Authentication/Mechanisms).
import { decodeJwt, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify, type LocalJWKSet } from 'jose';
import { OptionError } from '../optionError.js';
import type { CompleteOptions } from '../options.js';
import type { Authenticator, User } from './authenticator.js';
import { bearerToken } from './authorization.js';
import { IssuerKeys } from './issuerKeys.js';
import { type Ask, createPeer, httpsUrl } from './peer.js';
import { readAuthorities } from './pem.js';

/** Whose tokens are taken, for whom, and which of their claims make the user. */
export interface OpenidConnect {
  /** As the tokens name it, to the letter. */
  readonly issuer: string;
  readonly clientId: string;
  readonly usernameClaim: string;
  readonly groupsClaim?: string;
  /** The signatures that are taken. */
  readonly algorithms: readonly string[];
}

/**
 * Makes the authenticator of the `--oidc-` options. The issuer is asked with the first token of its own, so that one
 * that is down stops nothing. Throws an OptionError for options that cannot be used.
 */
export async function setUp(options: CompleteOptions, stopping: AbortSignal): Promise<Authenticator> {
  const { oidcIssuerUrl: issuer, oidcClientId: clientId, oidcCaFile, oidcGroupsClaim: groupsClaim } = options;
  const { oidcUsernameClaim: usernameClaim = 'sub' } = options;
  if (issuer === undefined || clientId === undefined) {
    throw new OptionError('--oidc-issuer-url and --oidc-client-id are needed by all --oidc- options: give both');
  }
  if (clientId === '') throw new OptionError('--oidc-client-id is empty: give the client that the tokens are for');
  httpsUrl('--oidc-issuer-url', issuer);
  const tls = oidcCaFile === undefined ? {} : { authority: await readAuthorities('--oidc-ca-file', oidcCaFile) };
  const algorithms = options.lacks('jwt-algorithms') ? ['RS256'] : ['RS256', 'ES256', 'PS256'];
  const settings = {
    issuer,
    clientId,
    usernameClaim,
    algorithms,
    ...(groupsClaim === undefined ? {} : { groupsClaim }),
  };
  return openidConnect(settings, createPeer(tls, stopping));
}

/** Authenticates ID tokens. A token of another issuer, or that is no JWT, is not mine, and nobody is asked. */
export function openidConnect(settings: OpenidConnect, ask: Ask, now?: () => number): Authenticator {
  const issuer = new IssuerKeys(settings.issuer, ask, now);
  return (request) => {
    const token = bearerToken(request);
    if (token === undefined || issuerOf(token) !== settings.issuer) return undefined;
    return authenticate(token, issuer, settings);
  };
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

async function authenticate(token: string, issuer: IssuerKeys, settings: OpenidConnect): Promise<User> {
  const keys = await issuer.keys();
  const options: JWTVerifyOptions = {
    issuer: settings.issuer,
    audience: settings.clientId,
    algorithms: [...settings.algorithms],
    requiredClaims: ['exp'],
  };
  try {
    return userOf(await verify(token, keys, options), settings);
  } catch (error) {
    const others = isKeyUnfit(error) ? await issuer.others(keys) : undefined;
    if (others === undefined) throw reason(error);
    const claims = await verify(token, others, options).catch((again: unknown) => {
      throw reason(again);
    });
    return userOf(claims, settings);
  }
}

/** No key, or a key that does not fit: the issuer may have others by now. */
const isKeyUnfit = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;

/** For the log: messages of the library may hold parts of the token. */
const reason = (error: unknown): unknown => {
  if (!(error instanceof errors.JOSEError)) return error;
  const claim = error instanceof errors.JWTClaimValidationFailed ? ` (${error.claim})` : '';
  return new Error(`the token is refused: ${error.code}${claim}`);
};

async function verify(token: string, keys: LocalJWKSet, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // a token that names no key may be of any
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (unfit) {
        if (!(unfit instanceof errors.JWSSignatureVerificationFailed)) throw unfit;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** The user of verified claims. An e-mail address is a name by itself, any other claim is one of its issuer's. */
function userOf(claims: JWTPayload, { issuer, usernameClaim, groupsClaim }: OpenidConnect): User {
  const claim = claims[usernameClaim];
  if (typeof claim !== 'string' || claim === '') throw new Error('the token has no user name in the claim of choice');
  const groups = groupsClaim === undefined ? [] : groupsOf(claims[groupsClaim]);
  if (usernameClaim !== 'email') return { name: `${issuer}#${claim}`, groups };
  if ((claims.email_verified ?? true) !== true) throw new Error('the e-mail address of the token is not verified');
  return { name: claim, groups };
}

function groupsOf(claim: unknown): readonly string[] {
  const groups = typeof claim === 'string' ? [claim] : (claim ?? []);
  if (Array.isArray(groups) && groups.every((group) => typeof group === 'string')) return groups;
  throw new Error('the groups of the token are neither a string nor a list of strings');
}
