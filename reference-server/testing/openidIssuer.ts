// An OpenID Connect issuer over TLS with exchangeable keys, and an authenticator that trusts it, for tests.
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { exportJWK, type JWK, SignJWT } from 'jose';
import { type KeyKind, newKey } from '../../test-certs/index.js';
import { type OpenidConnect, openidConnect } from '../authentication/openidConnect.js';
import { createPeer } from '../authentication/peer.js';
import { type PeerAnswer, peerCertificates, startHttpsPeer } from './httpsPeer.js';

export const discovery = '/.well-known/openid-configuration';
export const request = (authorization?: string) => ({ headers: { authorization } }) as IncomingMessage;

export interface Key {
  readonly alg: string;
  readonly kid: string;
  readonly jwk: JWK;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const kinds: Readonly<Record<string, KeyKind>> = { ES256: 'ec', ES384: 'ec-384' };

export async function makeKey(alg: string, kid: string): Promise<Key> {
  const privateKey = await newKey(kinds[alg] ?? 'rsa-2048');
  const publicKey = createPublicKey(privateKey);
  return { alg, kid, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }, publicKey, privateKey };
}

/** The usual keys, a later key, another issuer's key with the id of the first one, and a key with another algorithm. */
export const keys = {
  rs: await makeKey('RS256', 'rs'),
  es: await makeKey('ES256', 'es'),
  ps: await makeKey('PS256', 'ps'),
  next: await makeKey('ES256', 'next'),
  foreign: await makeKey('RS256', 'rs'),
  es384: await makeKey('ES384', 'es384'),
};

/** The current time, in seconds. */
export const now = () => Math.floor(Date.now() / 1000);
export const good = {
  sub: 'jane',
  aud: 'me',
  /** Later for each later token: the files of a worker share this module, for longer than a token lasts. */
  get exp() {
    return now() + 600;
  },
};

/** Starts an issuer, and makes an authenticator that trusts it, with a clock for both. */
export async function startIssuer(changed: Partial<OpenidConnect> = {}, path = '', patience = 30_000) {
  const state = {
    time: 0,
    published: [keys.rs, keys.es, keys.ps] as readonly Key[],
    answer: undefined as ((path: string) => PeerAnswer | undefined) | undefined,
  };
  const peer = await startHttpsPeer((call) => {
    const answered = state.answer?.(call.path);
    if (answered !== undefined) return answered;
    if (call.path === path.replace(/\/$/, '') + discovery) return { body: { issuer, jwks_uri: `${peer.url}/keys` } };
    return call.path === '/keys' ? { body: { keys: state.published.map(({ jwk }) => jwk) } } : { status: 404 };
  });
  const issuer = `${peer.url}${path}`;
  const ask = createPeer({ authority: peerCertificates.ca.certificate }, new AbortController().signal, patience);
  const settings = {
    issuer,
    clientId: 'me',
    usernameClaim: 'sub',
    algorithms: ['RS256', 'ES256', 'PS256'],
    ...changed,
  };
  const authenticate = openidConnect(settings, ask, () => state.time);
  const sign = (claims: object = {}, { alg, kid, privateKey } = keys.rs) =>
    new SignJWT({ iss: issuer, ...good, ...claims }).setProtectedHeader({ alg, kid }).sign(privateKey);
  return {
    issuer,
    state,
    sign,
    ask: async (token: string) => authenticate(request(`Bearer ${token}`)),
    user: async (claims?: object, key?: Key) => authenticate(request(`Bearer ${await sign(claims, key)}`)),
    authenticate,
    paths: () => peer.calls.map((call) => call.path),
    close: peer.close,
    [Symbol.asyncDispose]: peer.close,
  };
}
