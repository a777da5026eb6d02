// Signs service account tokens and verifies them (Authentication/Mechanisms: a signed JWT bearer token).
import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
// Single modules of the library: the whole library would take a tenth of a server's start time.
import { decodeJwt } from 'jose/jwt/decode';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import type { SigningKey } from './signingKey.js';

/** The subject of a token: an account, and the Secret that holds the token. */
export interface TokenSubject {
  readonly namespace: string;
  readonly secret: string;
  readonly account: string;
  readonly uid: string;
}

const issuer = 'kubernetes/serviceaccount';
const claims = {
  namespace: 'kubernetes.io/serviceaccount/namespace',
  secret: 'kubernetes.io/serviceaccount/secret.name',
  account: 'kubernetes.io/serviceaccount/service-account.name',
  uid: 'kubernetes.io/serviceaccount/service-account.uid',
};
/** The most verified tokens in the cache. */
const mostRemembered = 1000;

export function userNameOf(namespace: string, account: string): string {
  return `system:serviceaccount:${namespace}:${account}`;
}

const digest = (token: string): string => hash('sha256', token, 'base64');

export class TokenIssuer {
  /** Verified subjects by token digest: verification costs more than the rest of a request. */
  readonly #verified = new Map<string, TokenSubject>();

  constructor(
    readonly key: SigningKey,
    /** The certificate authority in PEM, with which the holder of a token verifies the server. */
    readonly ca: string,
  ) {}

  /** Signs a token. The token is valid as long as its Secret exists. */
  issue({ namespace, secret, account, uid }: TokenSubject): Promise<string> {
    const payload = {
      iss: issuer,
      [claims.namespace]: namespace,
      [claims.secret]: secret,
      [claims.account]: account,
      [claims.uid]: uid,
      sub: userNameOf(namespace, account),
    };
    const { algorithm, id, privateKey } = this.key;
    return new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid: id }).sign(privateKey);
  }

  /** Reports whether a token names this issuer. Does not verify the token. */
  claims(token: string): boolean {
    if (this.#verified.has(digest(token))) return true;
    if (token.split('.', 4).length !== 3) return false;
    try {
      return decodeJwt(token).iss === issuer;
    } catch {
      return false;
    }
  }

  /** Returns the subject of a token. Rejects if the signature is invalid or the algorithm is not that of the key. */
  async verify(token: string): Promise<TokenSubject> {
    const known = this.#verified.get(digest(token));
    if (known !== undefined) return known;
    const { algorithm, publicKey } = this.key;
    const { payload } = await jwtVerify(token, publicKey, { algorithms: [algorithm], issuer });
    const subject = subjectOf(payload);
    // Tokens with an expiry, signed by the key's owner, are verified each time.
    if (payload.exp === undefined) this.#remember(token, subject);
    return subject;
  }

  #remember(token: string, subject: TokenSubject): void {
    const [oldest] = this.#verified.keys();
    if (this.#verified.size >= mostRemembered && oldest !== undefined) this.#verified.delete(oldest);
    this.#verified.set(digest(token), subject);
  }
}

function subjectOf(payload: JWTPayload): TokenSubject {
  const text = (name: string): string => {
    const value = payload[name];
    if (typeof value !== 'string' || value === '') throw new Error(`the token has no ${name}`);
    return value;
  };
  return {
    namespace: text(claims.namespace),
    secret: text(claims.secret),
    account: text(claims.account),
    uid: text(claims.uid),
  };
}
