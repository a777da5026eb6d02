// Remembers what a remote service said of a token: no token is kept, and one that many requests bear is asked once.
import { hash, randomBytes } from 'node:crypto';
import type { User } from './authenticator.js';

/** The user of a token, or undefined where the service refused it. */
type Verdict = User | undefined;

interface Entry {
  readonly verdict: Promise<Verdict>;
  /** Milliseconds on the clock; infinite while the service is being asked. */
  until: number;
}

export class VerdictCache {
  readonly #entries = new Map<string, Entry>();
  readonly #key = randomBytes(32).toString('base64');
  readonly #judge: (token: string) => Promise<Verdict>;
  readonly #ttl: number;
  readonly #size: number;
  readonly #now: () => number;

  /** `ttl` is in milliseconds from the answer on, 0 remembers nothing; `size` is in tokens, the oldest go first. */
  constructor(judge: (token: string) => Promise<Verdict>, ttl: number, size = 1024, now = () => performance.now()) {
    this.#judge = judge;
    this.#ttl = ttl;
    this.#size = size;
    this.#now = now;
  }

  /** The verdict on a token. Rejects where there is none; that is not remembered. */
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
