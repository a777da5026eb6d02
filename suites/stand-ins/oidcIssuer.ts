// An OpenID Connect issuer: discovery, a key set that can change, and ID tokens on request through the control.
import type { JWK } from 'jose';
import { type IdTokenRequest, SigningKeys } from './idTokens.js';
import type { Reaction, ReceivedCall } from './secureServer.js';

export class OidcIssuer {
  #generation = 1;
  #published: readonly JWK[] = [];
  #current: SigningKeys;

  private constructor(
    readonly clientId: string,
    keys: SigningKeys,
  ) {
    this.#current = keys;
  }

  static async create(clientId: string): Promise<OidcIssuer> {
    const keys = await SigningKeys.generate('1');
    const issuer = new OidcIssuer(clientId, keys);
    issuer.#published = await keys.published();
    return issuer;
  }

  readonly react = ({ method, path }: ReceivedCall, url: string): Reaction => {
    if (method !== 'GET') return { status: 405, body: 'only GET' };
    if (path === '/.well-known/openid-configuration') return { status: 200, body: discovery(url) };
    if (path === '/keys') return { status: 200, body: { keys: this.#published } };
    return { status: 404, body: `nothing at ${path}` };
  };

  /** Makes the issuer sign with new keys. The old keys stay published, as with real issuers. */
  async rotate(): Promise<void> {
    this.#generation += 1;
    this.#current = await SigningKeys.generate(String(this.#generation));
    this.#published = [...(await this.#current.published()), ...this.#published];
  }

  async mint(url: string, request: IdTokenRequest): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const { lifetime = 3600, claims = {} } = request;
    const exp = now + lifetime;
    const usual = { iss: url, aud: this.clientId, sub: 'somebody', iat: Math.min(now, exp) - 60, exp };
    const wanted = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== null);
    return await this.#current.sign(Object.fromEntries(wanted), request);
  }
}

const discovery = (url: string): unknown => ({
  issuer: url,
  jwks_uri: `${url}/keys`,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  response_types_supported: ['id_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256', 'PS256'],
});
