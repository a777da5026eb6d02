// The signing keys of an OpenID Connect issuer: fetched on first use, and again when they may have changed.
import type { JSONWebKeySet, LocalJWKSet } from 'jose';
import { createLocalJWKSet } from 'jose/jwks/local';
import { type Ask, httpsUrl, jsonObject } from './peer.js';

/** The age at which keys are fetched again, in milliseconds. The old keys are used meanwhile. */
const maxAge = 600_000;
/** The rate limit of fetches: a burst, then one fetch for each pause, in milliseconds. */
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

  /** Returns the keys. Rejects while the issuer is unreachable and no keys are known. */
  async keys(): Promise<LocalJWKSet> {
    if (this.#keys === undefined) {
      const fetching = this.#fetch();
      if (fetching === undefined) throw new Error('the issuer was out of reach a moment ago');
      return await fetching;
    }
    // Known keys remain valid while the issuer is down.
    if (this.#now() - this.#fetched > maxAge) this.#fetch()?.catch(() => {});
    return this.#keys;
  }

  /**
   * Returns newer keys than the given ones, or undefined if the rate limit allows no fetch. Rejects if the fetch fails.
   */
  async others(than: LocalJWKSet): Promise<LocalJWKSet | undefined> {
    if (this.#keys !== than) return this.#keys;
    return await this.#fetch();
  }

  /** Fetches the keys once for all callers. Returns undefined if the rate limit allows no fetch. */
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
