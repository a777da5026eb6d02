// OpenID Connect: an ID token of the configured issuer and client is the bearer token (Authentication/Mechanisms).
import type { JWTPayload, JWTVerifyOptions, LocalJWKSet } from 'jose';
import * as errors from 'jose/errors';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import { OptionError } from '../optionValues.js';
import type { Authenticator, User } from './authenticator.js';
import { bearerToken } from './authorization.js';
import { IssuerKeys } from './issuerKeys.js';
import type { AuthenticatorOptions } from './options.js';
import { type Ask, createPeer, httpsUrl } from './peer.js';
import { readAuthorities } from './pem.js';

/** The issuer and client of accepted tokens, and the claims of the user. */
export interface OpenidConnect {
  /** The issuer, spelled exactly as in its tokens. */
  readonly issuer: string;
  readonly clientId: string;
  readonly usernameClaim: string;
  readonly groupsClaim?: string;
  /** The accepted signature algorithms. */
  readonly algorithms: readonly string[];
}

/**
 * Makes the authenticator of the `--oidc-` options. It calls the issuer only when a token arrives, so the server starts
 * even if the issuer is down. Throws an OptionError for invalid options.
 */
export async function setUpOpenidConnect(options: AuthenticatorOptions, stopping: AbortSignal): Promise<Authenticator> {
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

/** Authenticates ID tokens. Ignores tokens of other issuers and tokens that are not JWTs, without a request. */
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

/** Reports whether no key fits a token; the issuer may have newer keys. */
const isKeyUnfit = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;

/** Returns an error for the log: messages of the library may contain parts of the token. */
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
    // Any key may have signed a token that names no key.
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

/**
 * Returns the user of verified claims. An e-mail address is used as it is; any other claim is prefixed with the issuer.
 */
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
