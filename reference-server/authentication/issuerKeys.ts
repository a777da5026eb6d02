// The signing keys of an OpenID Connect issuer: discovered when they are needed, and again when they have changed.
import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from 'jose';
import { type Ask, httpsUrl, jsonObject } from './peer.js';

/** Milliseconds after which keys are fetched again, while the old ones still serve. */
const maxAge = 600_000;
/** How often the issuer may be asked: some times in a row, then once a second. */
const allowance = { burst: 10, pause: 1_000 };

export class IssuerKeys {
  readonly #issuer: string;
  readonly #ask: Ask;
  readonly #now: () => number;
  #keys: LocalJWKSet | undefined;
  #fetched = 0;
  #pending: Promise<LocalJWKSet> | undefined;
  #left = allowance.burst;
  #counted: number;

  /** `now` is a clock in milliseconds. */
  constructor(issuer: string, ask: Ask, now = () => performance.now()) {
    this.#issuer = issuer;
    this.#ask = ask;
    this.#now = now;
    this.#counted = now();
  }

  /** The keys. Rejects while the issuer cannot be reached. */
  async keys(): Promise<LocalJWKSet> {
    if (this.#keys === undefined) {
      const fetching = this.#fetch();
      if (fetching === undefined) throw new Error('the issuer was out of reach a moment ago');
      return await fetching;
    }
    // an issuer that is down must not take away keys that are known
    if (this.#now() - this.#fetched > maxAge) this.#fetch()?.catch(() => {});
    return this.#keys;
  }

  /** Other keys than those that did not fit; undefined where the issuer has none, or was asked too often. */
  async others(than: LocalJWKSet): Promise<LocalJWKSet | undefined> {
    if (this.#keys !== than) return this.#keys;
    return await this.#fetch();
  }

  /** Fetches, once for all who wait; undefined where the issuer was asked too often. */
  #fetch(): Promise<LocalJWKSet> | undefined {
    if (this.#pending === undefined && !this.#allowed()) return undefined;
    this.#pending ??= this.#discover()
      .then(
        (keys) => {
          this.#keys = keys;
          this.#fetched = this.#now();
          return keys;
        },
        (error: unknown) => {
          this.#left = 0;
          this.#counted = this.#now();
          throw error;
        },
      )
      .finally(() => {
        this.#pending = undefined;
      });
    return this.#pending;
  }

  #allowed(): boolean {
    const earned = Math.floor((this.#now() - this.#counted) / allowance.pause);
    this.#counted += earned * allowance.pause;
    this.#left = Math.min(allowance.burst, this.#left + earned);
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  async #discover(): Promise<LocalJWKSet> {
    const base = this.#issuer.replace(/\/$/, '');
    const { issuer, jwks_uri: keys } = await this.#get(new URL(`${base}/.well-known/openid-configuration`));
    if (issuer !== this.#issuer) throw new Error('the discovery document is of another issuer');
    if (typeof keys !== 'string') throw new Error('the discovery document has no jwks_uri');
    return createLocalJWKSet((await this.#get(httpsUrl('jwks_uri', keys))) as unknown as JSONWebKeySet);
  }

  async #get(url: URL): Promise<Record<string, unknown>> {
    const { status, text } = await this.#ask(url);
    if (status !== 200) throw new Error(`${url.origin}: HTTP status ${status}`);
    return jsonObject(text);
  }
}
