// Finds what a secret stands for, in a time that says nothing about the secrets that there are.
import { hash, randomBytes } from 'node:crypto';

/** Secrets are looked up by keyed digest: who measures the time of a lookup learns about digests that he cannot choose. */
export class SecretTable<Value> {
  readonly #key = randomBytes(32).toString('base64');
  readonly #values: ReadonlyMap<string, Value>;

  constructor(entries: readonly (readonly [secret: string, value: Value])[]) {
    this.#values = new Map(entries.map(([secret, value]) => [this.#digest(secret), value]));
  }

  get(secret: string): Value | undefined {
    return this.#values.get(this.#digest(secret));
  }

  #digest(secret: string): string {
    return hash('sha256', this.#key + secret, 'base64');
  }
}
