// ID tokens, good ones and ones that are broken in one way each, signed with the keys of an issuer.
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { signedByUs, signedWithSecret, unsigned, withClaims, withOtherSignature } from '../support/jsonWebToken.js';

/** The algorithms that an issuer has a key for. */
const algorithms = ['RS256', 'ES256', 'PS256'] as const;
type Algorithm = (typeof algorithms)[number];

/** Ways of spoiling a good token. */
const breakages = {
  /** A bit of it is changed. */
  signature: withOtherSignature,
  /** It is another's. */
  payload: (token: string) => withClaims(token, { sub: 'somebody-else' }),
  /** No algorithm, no signature. */
  none: unsigned,
  /** HS256 with the public key, which everybody knows. */
  'public-key-as-secret': async (token: string, key: CryptoKey) => signedWithSecret(token, await exportSPKI(key)),
  /** Another's key under the id of ours. */
  'foreign-key': (token: string) => signedByUs(token),
  /** A key that was never published. */
  'unknown-key': (token: string) => signedByUs(token, { kid: 'unpublished' }),
} satisfies Record<string, (token: string, key: CryptoKey) => string | Promise<string>>;

/** What an ID token is to be. */
export interface IdTokenRequest {
  /** RS256 when absent. */
  readonly algorithm?: Algorithm;
  /** Beside the usual claims, or instead of them; null takes one away. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Seconds from now; an hour when absent, below zero for a token that has expired. */
  readonly lifetime?: number;
  /** Good when absent. */
  readonly broken?: keyof typeof breakages;
}

interface SigningKey {
  readonly id: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** The keys of one generation, one for each algorithm. */
export class SigningKeys {
  private constructor(readonly keys: Readonly<Record<Algorithm, SigningKey>>) {}

  /** Makes keys whose ids start with the name of their generation. */
  static async generate(generation: string): Promise<SigningKeys> {
    const keys = await Promise.all(
      algorithms.map(async (algorithm): Promise<[Algorithm, SigningKey]> => {
        const pair = await generateKeyPair(algorithm, { extractable: true });
        return [algorithm, { id: `${generation}-${algorithm}`, ...pair }];
      }),
    );
    return new SigningKeys(Object.fromEntries(keys) as Record<Algorithm, SigningKey>);
  }

  /** The public halves, as a key set publishes them. */
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

  /** Makes a token. */
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
