// Signs service account tokens and knows its own again (Authentication/Mechanisms: a signed JWT bearer token).
import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
// Single modules of the library: all of it would be a tenth of the time that a server needs to start.
import { decodeJwt } from 'jose/jwt/decode';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import type { SigningKey } from './signingKey.js';

/** What a token is about: an account, and the Secret that holds the token. */
export interface TokenSubject {
  readonly namespace: string;
  readonly secret: string;
  readonly account: string;
  /** Of the account. */
  readonly uid: string;
}

const issuer = 'kubernetes/serviceaccount';
const claims = {
  namespace: 'kubernetes.io/serviceaccount/namespace',
  secret: 'kubernetes.io/serviceaccount/secret.name',
  account: 'kubernetes.io/serviceaccount/service-account.name',
  uid: 'kubernetes.io/serviceaccount/service-account.uid',
};
/** How many verified signatures are remembered. */
const mostRemembered = 1000;

/** The name of an account's user. */
export function userNameOf(namespace: string, account: string): string {
  return `system:serviceaccount:${namespace}:${account}`;
}

const digest = (token: string): string => hash('sha256', token, 'base64');

export class TokenIssuer {
  /** By digest: a signature once good is good, and verifying it costs more than all else. */
  readonly #verified = new Map<string, TokenSubject>();

  constructor(
    readonly key: SigningKey,
    /** PEM: what the holder of a token verifies the server with. */
    readonly ca: string,
  ) {}

  /** Signs a token that lasts as long as its Secret. */
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

  /** Whether a token says that it is from here; nothing of it is verified. */
  claims(token: string): boolean {
    if (this.#verified.has(digest(token))) return true;
    if (token.split('.', 4).length !== 3) return false;
    try {
      return decodeJwt(token).iss === issuer;
    } catch {
      return false;
    }
  }

  /** What a token is about. Rejects where the signature is another's, or by another algorithm than the key's. */
  async verify(token: string): Promise<TokenSubject> {
    const known = this.#verified.get(digest(token));
    if (known !== undefined) return known;
    const { algorithm, publicKey } = this.key;
    const { payload } = await jwtVerify(token, publicKey, { algorithms: [algorithm], issuer });
    const subject = subjectOf(payload);
    // what the key's owner has signed for a time only is verified each time
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
