// ID tokens signed with the keys of an issuer: valid tokens, and tokens with one fault each.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { exportJWK, exportSPKI, type JWK, SignJWT } from 'jose';
import { newKey } from '../../test-certs/index.js';
import {
  signedByOwnKey,
  signedByUs,
  signedWithSecret,
  unsigned,
  unsignedInCapitals,
  withClaims,
  withOtherSignature,
} from './jsonWebToken.js';

/** The algorithms that an issuer has a key for. */
const algorithms = ['RS256', 'ES256', 'PS256'] as const;
type Algorithm = (typeof algorithms)[number];

const breakages = {
  signature: withOtherSignature,
  /** The payload names another user. */
  payload: (token: string) => withClaims(token, { sub: 'somebody-else' }),
  /** The algorithm `none`, without a signature. */
  none: unsigned,
  NONE: unsignedInCapitals,
  'public-key-as-secret': async (token: string, key: KeyObject) => signedWithSecret(token, await exportSPKI(key)),
  /** Signed with another key under the id of the issuer's key. */
  'foreign-key': (token: string) => signedByUs(token),
  'key-in-header': signedByOwnKey,
  /** Signed with a key that was never published. */
  'unknown-key': (token: string) => signedByUs(token, { kid: 'unpublished' }),
} satisfies Record<string, (token: string, key: KeyObject) => string | Promise<string>>;

export interface IdTokenRequest {
  /** RS256 when absent. */
  readonly algorithm?: Algorithm;
  /** Merged into the usual claims; null removes a claim. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Seconds from now; an hour when absent, negative for an expired token. */
  readonly lifetime?: number;
  /** The fault of the token; a valid token when absent. */
  readonly broken?: keyof typeof breakages;
}

interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The keys of one generation, one for each algorithm. */
export class SigningKeys {
  private constructor(readonly keys: Readonly<Record<Algorithm, SigningKey>>) {}

  /** Generates keys, whose ids start with the name of the generation. An RSA key is slow to make: two algorithms share it. */
  static async generate(generation: string): Promise<SigningKeys> {
    const [rsa, ec] = await Promise.all([newKey('rsa-2048'), newKey()]);
    const named = (algorithm: Algorithm, privateKey: KeyObject): SigningKey => ({
      id: `${generation}-${algorithm}`,
      publicKey: createPublicKey(privateKey),
      privateKey,
    });
    return new SigningKeys({ RS256: named('RS256', rsa), ES256: named('ES256', ec), PS256: named('PS256', rsa) });
  }

  /** Returns the public keys for a key set. */
  published(): Promise<JWK[]> {
    return Promise.all(
      algorithms.map(async (alg) => ({
        ...(await exportJWK(this.keys[alg].publicKey)),
        kid: this.keys[alg].id,
        use: 'sig',
        alg,
      })),
    );
  }

  async sign(
    claims: Readonly<Record<string, unknown>>,
    { algorithm = 'RS256', broken }: Pick<IdTokenRequest, 'algorithm' | 'broken'>,
  ): Promise<string> {
    const { id, privateKey, publicKey } = this.keys[algorithm];
    const header = { alg: algorithm, kid: id, typ: 'JWT' };
    const token = await new SignJWT({ ...claims }).setProtectedHeader(header).sign(privateKey);
    return broken === undefined ? token : await breakages[broken](token, publicKey);
  }
}
