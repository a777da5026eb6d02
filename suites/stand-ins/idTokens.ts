// ID tokens, good ones and ones that are broken in one way each, signed with the keys of an issuer.
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';

/** The algorithms that an issuer has a key for. */
const algorithms = ['RS256', 'ES256', 'PS256'] as const;
type Algorithm = (typeof algorithms)[number];

/** What an ID token is to be. */
export interface IdTokenRequest {
  /** RS256 when absent. */
  readonly algorithm?: Algorithm;
  /** Beside the usual claims, or instead of them; null takes one away. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Seconds from now; an hour when absent, below zero for a token that has expired. */
  readonly lifetime?: number;
  /**
   * `signature`: a bit of it is changed. `payload`: it is another's. `none`: no algorithm, no signature.
   * `public-key-as-secret`: HS256 with the public key. `foreign-key`: another's key under our key's id.
   * `unknown-key`: a key that was never published.
   */
  readonly broken?: 'signature' | 'payload' | 'none' | 'public-key-as-secret' | 'foreign-key' | 'unknown-key';
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

  /** Makes a token. `unpublished` gives keys that are in no key set. */
  async sign(
    claims: Readonly<Record<string, unknown>>,
    { algorithm = 'RS256', broken }: IdTokenRequest,
    unpublished: () => Promise<SigningKeys>,
  ): Promise<string> {
    const { id, privateKey, publicKey } = this.keys[algorithm];
    const foreign = async (): Promise<SigningKey> => (await unpublished()).keys[algorithm];
    const signed = (alg: string, kid: string, key: CryptoKey | Uint8Array): Promise<string> =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(key);
    if (broken === undefined) return await signed(algorithm, id, privateKey);
    switch (broken) {
      case 'foreign-key':
        return await signed(algorithm, id, (await foreign()).privateKey);
      case 'unknown-key':
        return await signed(algorithm, (await foreign()).id, (await foreign()).privateKey);
      case 'public-key-as-secret':
        return await signed('HS256', id, new TextEncoder().encode(await exportSPKI(publicKey)));
      case 'none':
        return `${part({ alg: 'none', kid: id, typ: 'JWT' })}.${part(claims)}.`;
      case 'payload': {
        const [header, , signature] = (await signed(algorithm, id, privateKey)).split('.');
        return `${header}.${part({ ...claims, sub: 'somebody-else' })}.${signature}`;
      }
      case 'signature': {
        const [header, payload, signature = ''] = (await signed(algorithm, id, privateKey)).split('.');
        const bytes = Buffer.from(signature, 'base64url');
        bytes[10] = (bytes[10] ?? 0) ^ 1;
        return `${header}.${payload}.${bytes.toString('base64url')}`;
      }
    }
  }
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
