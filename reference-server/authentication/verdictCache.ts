// Caches the verdicts of a remote service on tokens, by digest. Concurrent requests with one token share one call.
import { hash, randomBytes } from 'node:crypto';
import type { User } from './authenticator.js';

/** The user of a token, or undefined if the service refused it. */
type Verdict = User | undefined;

interface Entry {
  readonly verdict: Promise<Verdict>;
  /** The end of validity in milliseconds of the clock; infinite during the call. */
  until: number;
}

export class VerdictCache {
  readonly #entries = new Map<string, Entry>();
  readonly #key = randomBytes(32).toString('base64');
  readonly #judge: (token: string) => Promise<Verdict>;
  readonly #ttl: number;
  readonly #size: number;
  readonly #now: () => number;

  /**
   * `ttl` is in milliseconds from the response on, and 0 caches nothing. `size` is the most tokens; the oldest are
   * dropped.
   */
  constructor(judge: (token: string) => Promise<Verdict>, ttl: number, size = 1024, now = () => performance.now()) {
    this.#judge = judge;
    this.#ttl = ttl;
    this.#size = size;
    this.#now = now;
  }

  /** Returns the verdict on a token. Rejects if the service gives none; failures are not cached. */
  verdict(token: string): Promise<Verdict> {
    const digest = hash('sha256', this.#key + token, 'base64');
    const known = this.#entries.get(digest);
    if (known !== undefined && known.until > this.#now()) return known.verdict;
    const entry: Entry = { verdict: this.#judge(token), until: Number.POSITIVE_INFINITY };
    this.#entries.delete(digest);
    this.#entries.set(digest, entry);
    if (this.#entries.size > this.#size) this.#entries.delete(this.#entries.keys().next().value as string);
    const forget = () => {
      if (this.#entries.get(digest) === entry) this.#entries.delete(digest);
    };
    entry.verdict.then(() => {
      entry.until = this.#now() + this.#ttl;
      if (this.#ttl === 0) forget();
    }, forget);
    return entry.verdict;
  }
}
