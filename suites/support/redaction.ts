// Redaction by value: what is secret is replaced wherever it stands, in whatever it stands.
import { at, isObject } from './json.js';

const jwt = /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g;
const mark = '<redacted>';

/** Keys of a service-account Secret whose values are public. */
const open = new Set(['namespace', 'ca.crt']);

/** Knows the secret values of a run and takes them out of texts. */
export class Redactor {
  readonly #secrets = new Set<string>();

  /** Adds a secret and its base64 forms. Values under 4 characters are ignored: they would hit everything. */
  add(secret: string | undefined): void {
    if (secret === undefined || secret.length < 4) return;
    this.#secrets.add(secret);
    this.#secrets.add(Buffer.from(secret).toString('base64'));
    this.#secrets.add(Buffer.from(secret).toString('base64url'));
  }

  /** Adds the data of a Secret, or of each Secret of a list. */
  learn(body: unknown): void {
    const items = at(body, 'items');
    if (Array.isArray(items) && at(body, 'kind') === 'SecretList') for (const item of items) this.#learnSecret(item);
    if (at(body, 'kind') === 'Secret') this.#learnSecret(body);
  }

  /** The text without any known secret and without anything that looks like a JSON Web Token. */
  redact(text: string): string {
    let result = text.replace(jwt, mark);
    for (const secret of this.#secrets) if (result.includes(secret)) result = result.replaceAll(secret, mark);
    return result;
  }

  #learnSecret(secret: unknown): void {
    const data = at(secret, 'data');
    if (!isObject(data)) return;
    for (const [key, value] of Object.entries(data)) {
      if (typeof value !== 'string' || open.has(key)) continue;
      this.add(Buffer.from(value, 'base64').toString('utf8'));
      if (value.length >= 4) this.#secrets.add(value);
    }
  }
}
