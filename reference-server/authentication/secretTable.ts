// Looks up secrets in a time that reveals nothing about the known secrets.
import { hash, randomBytes } from 'node:crypto';

/** A table of secrets by keyed digest. Digests are unpredictable, so the time of a lookup reveals nothing. */
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
