// Tokens that clients ask for: they expire, and end with the object that they are bound to. No Secret holds them.
import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { decodeJwt } from 'jose/jwt/decode';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import type { SigningKey } from './signingKey.js';
import { userNameOf } from './tokenIssuer.js';

/** The issuer of these tokens, and the audience that the server accepts. */
export const boundIssuer = 'https://kubernetes.default.svc.cluster.local';

const claim = 'kubernetes.io';

/** An object that a token ends with. */
interface BoundObject {
  readonly kind: 'Pod' | 'Secret' | 'Node';
  readonly name: string;
  readonly uid: string;
}

/** A node, whose uid is absent if the node does not exist. */
export interface NamedNode {
  readonly name: string;
  readonly uid?: string;
}

/** What a token says. */
export interface BoundToken {
  readonly namespace: string;
  readonly account: string;
  readonly uid: string;
  readonly bound?: BoundObject;
  /** The node of the pod that the token is bound to. */
  readonly node?: NamedNode;
  readonly id: string;
}

export class BoundTokens {
  constructor(
    readonly key: SigningKey,
    readonly now: () => Date,
  ) {}

  /** Signs a token for some audiences. `expires` is in seconds since 1970. */
  issue(token: Omit<BoundToken, 'id'>, audiences: readonly string[], now: number, expires: number): Promise<string> {
    const { namespace, account, uid, bound, node } = token;
    const payload = {
      [claim]: {
        namespace,
        serviceaccount: { name: account, uid },
        ...(node && { node }),
        ...(bound && { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } }),
      },
    };
    const { algorithm, id, privateKey } = this.key;
    return new SignJWT(payload)
      .setProtectedHeader({ alg: algorithm, kid: id })
      .setAudience([...audiences])
      .setIssuer(boundIssuer)
      .setSubject(userNameOf(namespace, account))
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(expires)
      .sign(privateKey);
  }

  /** Reports whether a token names this issuer. Does not verify the token. */
  claims(token: string): boolean {
    return claimsOf(token) !== undefined;
  }

  /** Returns the audiences that a token names: this server for one of another issuer. Does not verify the token. */
  audiencesOf(token: string): readonly string[] {
    return [claimsOf(token)?.aud ?? boundIssuer].flat();
  }

  /** Returns what a token says. Rejects if it is not signed by the key, has expired, or is for none of the audiences. */
  async verify(token: string, audiences: readonly string[] = [boundIssuer]): Promise<BoundToken> {
    const { algorithm, publicKey } = this.key;
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: [algorithm],
      issuer: boundIssuer,
      audience: [...audiences],
      requiredClaims: ['exp'],
      currentDate: this.now(),
    });
    return read(payload);
  }
}

/** Returns what a token of this issuer claims, unverified; undefined for other tokens. */
function claimsOf(token: string): JWTPayload | undefined {
  if (token.split('.', 4).length !== 3) return undefined;
  try {
    const claims = decodeJwt(token);
    return claims.iss === boundIssuer ? claims : undefined;
  } catch {
    return undefined;
  }
}

interface Named {
  readonly name?: string;
  readonly uid?: string;
}

function read(payload: JWTPayload): BoundToken {
  const { namespace, serviceaccount, pod, secret, node } = (payload[claim] ?? {}) as {
    namespace?: string;
    serviceaccount?: Named;
    pod?: Named;
    secret?: Named;
    node?: NamedNode;
  };
  const { name: account, uid } = serviceaccount ?? {};
  if (!namespace || !account || !uid) throw new Error('the token names no service account');
  const kind = pod !== undefined ? 'Pod' : secret !== undefined ? 'Secret' : 'Node';
  const { name, uid: boundUid } = pod ?? secret ?? node ?? {};
  const bound = name !== undefined && boundUid !== undefined ? ({ kind, name, uid: boundUid } as const) : undefined;
  const ofPod = kind === 'Pod' && node !== undefined;
  return { namespace, account, uid, id: payload.jti ?? '', ...(bound && { bound }), ...(ofPod && { node }) };
}
