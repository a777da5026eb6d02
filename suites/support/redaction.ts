// Redaction by value: what is secret is replaced wherever it stands, in whatever it stands.
import { at, isObject } from './json.js';
import { formsOf, linesOf, type SecretForm, shortest } from './secretForms.js';

const jwt = /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g;
const mark = '<redacted>';
/** What a text that was cut ends with. */
const ellipsis = '…';

/** Keys of a service-account Secret whose values are public. */
const open = new Set(['namespace', 'ca.crt']);

/** Bytes of a secret that count: more than the evidence keeps of any body. */
const longest = 32 * 1024;

/** Characters of a secret that are taken out where a text was cut in the middle of it. */
const shortestStart = 8;

/** Knows the secret values of a run and takes them out of texts. */
export class Redactor {
  readonly #known = new Set<string>();
  /** Forms by their first characters, the longest first; a text is gone through once, however many there are. */
  readonly #forms = new Map<string, SecretForm[]>();
  readonly #beginnings = new Uint8Array(1 << 16);

  /** Adds a secret in every form. Values under 4 characters are ignored: they would hit everything. */
  add(secret: string | Buffer | undefined): void {
    if (secret === undefined || secret.length < shortest) return;
    const bytes = Buffer.from(secret).subarray(0, longest);
    const key = bytes.toString('latin1');
    if (this.#known.has(key)) return;
    this.#known.add(key);
    for (const form of formsOf(bytes)) this.#addForm(form);
    for (const line of linesOf(bytes.toString('utf8'))) this.add(line);
  }

  /** Adds the data of a Secret, or of each Secret of a list. */
  learn(body: unknown): void {
    const items = at(body, 'items');
    if (Array.isArray(items)) {
      const ofSecrets = at(body, 'kind') === 'SecretList';
      for (const item of items) if (ofSecrets || at(item, 'kind') === 'Secret') this.#learnSecret(item);
    }
    if (at(body, 'kind') === 'Secret') this.#learnSecret(body);
  }

  /** Adds the data that a patch of a Secret sets, be it an object or the operations of a JSON patch. */
  learnPatch(body: unknown): void {
    if (!Array.isArray(body)) this.#learnSecret(body);
    for (const operation of Array.isArray(body) ? body : []) {
      const value = at(operation, 'value');
      if (/^\/(?:data|stringData)(?:\/|$)/.test(String(at(operation, 'path')))) this.#learnValues(value);
      else this.#learnSecret(value);
    }
  }

  /** The text without any known secret, cut ones too, and without anything that looks like a JSON Web Token. */
  redact(text: string): string {
    const result = this.#redactWhole(text.replace(jwt, mark));
    if (!result.includes(ellipsis)) return result;
    return result
      .split(ellipsis)
      .map((part) => this.#redactWhole(part))
      .join(ellipsis);
  }

  /** The value of a header without any known secret; without what follows `Basic` where it says who sends the request. */
  redactHeader(name: string, value: string): string {
    const isCredential = /^(proxy-)?authorization$/i.test(name);
    return this.redact(isCredential ? value.replace(/^(\s*basic\s+)\S.*$/is, `$1${mark}`) : value);
  }

  #redactWhole(text: string): string {
    let result = '';
    let done = 0;
    for (let from = 0; from + shortest <= text.length; ) {
      const end = this.#beginnings[hash(text, from)] === 1 ? this.#match(text, from) : undefined;
      if (end === undefined) from += 1;
      else {
        result += text.slice(done, Math.max(done, end.from)) + mark;
        from = end.to;
        done = end.to;
      }
    }
    return done === 0 ? text : result + text.slice(done);
  }

  /** The secret that begins here, or the beginning of one that the end of the text cuts off. */
  #match(text: string, from: number): { readonly from: number; readonly to: number } | undefined {
    const left = text.length - from;
    for (const { text: form, edges } of this.#forms.get(text.slice(from, from + shortest)) ?? []) {
      if (left < form.length) {
        if (left >= shortestStart && form.startsWith(text.slice(from))) return { from, to: text.length };
      } else if (text.startsWith(form, from)) {
        const to = from + form.length;
        if (edges === undefined) return { from, to };
        const before = edges[0] === 1 && from > 0 && isBase64(text.charCodeAt(from - 1)) ? 1 : 0;
        const after = edges[1] === 1 && to < text.length && isBase64(text.charCodeAt(to)) ? 1 : 0;
        return { from: from - before, to: to + after };
      }
    }
    return undefined;
  }

  #addForm(form: SecretForm): void {
    const beginning = form.text.slice(0, shortest);
    const same = this.#forms.get(beginning);
    this.#beginnings[hash(form.text, 0)] = 1;
    if (same === undefined) {
      this.#forms.set(beginning, [form]);
      return;
    }
    const after = same.findIndex(({ text }) => text.length < form.text.length);
    same.splice(after === -1 ? same.length : after, 0, form);
  }

  #learnSecret(secret: unknown): void {
    const [data, stringData] = [at(secret, 'data'), at(secret, 'stringData')];
    for (const [key, value] of Object.entries(isObject(data) ? data : {})) {
      if (typeof value !== 'string' || open.has(key)) continue;
      this.#learnValues(value);
    }
    for (const value of Object.values(isObject(stringData) ? stringData : {})) this.#learnValues(value);
  }

  #learnValues(value: unknown): void {
    if (isObject(value)) for (const each of Object.values(value)) this.#learnValues(each);
    if (typeof value !== 'string') return;
    this.add(value);
    this.add(Buffer.from(value, 'base64'));
  }
}

/** A number of 16 bits for four characters. */
const hash = (text: string, from: number): number =>
  (text.charCodeAt(from) * 0x1021 +
    text.charCodeAt(from + 1) * 0x6f3 +
    text.charCodeAt(from + 2) * 0x95 +
    text.charCodeAt(from + 3)) &
  0xffff;

/** Of base64 in either alphabet, without its padding. */
function isBase64(code: number): boolean {
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
  return isLetter || (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 47 || code === 95;
}
