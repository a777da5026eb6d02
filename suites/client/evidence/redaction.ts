// Redaction by value: every occurrence of a secret value is replaced, in texts of any format.
import { runOf } from '../belonging.js';
import { at, isObject, type JsonObject } from '../json.js';
import { FormIndex } from './formIndex.js';
import { linesOf, type SecretForm, secretFormsOf, shortestForm } from './secretForms.js';

const mark = '<redacted>';
/** The last character of a text that was cut. */
const ellipsis = '…';

/** Keys of a service-account Secret whose values are public. */
const open = new Set(['namespace', 'ca.crt']);

/** The number of bytes of a secret that are compared: more than the evidence keeps of any body. */
const longest = 32 * 1024;

/** The number of characters of a secret that must be left for redaction if a text was cut inside the secret. */
const shortestStart = 8;

/** Holds the secret values of a run and removes them from texts. */
export class Redactor {
  readonly #known = new Set<string>();
  /** The texts among them: each request adds its credential again. */
  readonly #texts = new Set<string>();
  /** The data of the Secrets that the suite has sent. */
  readonly #sent = new Set<string>();
  /** The forms by their first characters. A text is read once, for any number of forms. */
  readonly #forms = new Map<string, FormIndex>();
  /** One bit for each number of four characters with which a form begins. */
  readonly #beginnings = new Uint32Array(1 << 15);

  /** Adds a secret in every form. Values under 4 characters are ignored, because they would match in every text. */
  add(secret: string | Buffer | undefined): void {
    if (secret === undefined || secret.length < shortestForm) return;
    if (typeof secret === 'string' && secret.length <= longest) {
      if (this.#texts.has(secret)) return;
      this.#texts.add(secret);
    }
    const bytes = Buffer.from(secret).subarray(0, longest);
    const key = keyOf(bytes);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    for (const form of secretFormsOf(bytes)) this.#addForm(form);
    for (const line of linesOf(bytes.toString('utf8'))) this.add(line);
  }

  /**
   * Adds the data of a Secret, or of each Secret in a list, unless the suite itself wrote it: a run's own Secrets have
   * secret data in service-account tokens only.
   */
  learn(body: unknown): void {
    for (const secret of secretsIn(body)) {
      if (runOf(secret) !== undefined && !String(at(secret, 'type')).endsWith('/service-account-token')) continue;
      for (const value of valuesOfSecret(secret)) if (!this.#sent.has(keyOf(value))) this.add(value);
    }
  }

  /**
   * Leaves the data readable that the suite sends in a Secret or in a patch of one, unless it is a known secret. A patch
   * is an object or a list of JSON patch operations.
   */
  leave(body: unknown, isOfSecrets: boolean): void {
    const values = isOfSecrets ? valuesInPatch(body) : secretsIn(body).flatMap((secret) => [...valuesOfSecret(secret)]);
    for (const value of values) {
      const key = keyOf(value);
      if (!this.#known.has(key)) this.#sent.add(key);
    }
  }

  /** Returns the text without any known secret, including secrets that were cut, and without any JSON Web Token. */
  redact(text: string): string {
    const result = this.#redactWhole(withoutTokens(text));
    if (!result.includes(ellipsis)) return result;
    return result
      .split(ellipsis)
      .map((part) => this.#redactWhole(part))
      .join(ellipsis);
  }

  /** Returns a header value without known secrets, and without the text after `Basic` in Authorization headers. */
  redactHeader(name: string, value: string): string {
    const isCredential = /^(proxy-)?authorization$/i.test(name);
    return this.redact(isCredential ? value.replace(/^(\s*basic\s+)\S.*$/is, `$1${mark}`) : value);
  }

  #redactWhole(text: string): string {
    let result = '';
    let done = 0;
    let code = 0;
    for (let next = 0; next < text.length; next += 1) {
      code = extended(code, text.charCodeAt(next));
      const from = next + 1 - shortestForm;
      if (!this.#isBeginning(code) || from < done) continue;
      const found = this.#match(text, from);
      if (found === undefined) continue;
      result += text.slice(done, Math.max(done, found.from)) + mark;
      done = found.to;
      next = done - 1;
    }
    return done === 0 ? text : result + text.slice(done);
  }

  #isBeginning(code: number): boolean {
    return ((this.#beginnings[code >>> 5] ?? 0) & (1 << (code & 31))) !== 0;
  }

  /** Returns the range of the secret that begins here, or of its start if the end of the text cuts it off. */
  #match(text: string, from: number): { readonly from: number; readonly to: number } | undefined {
    const found = this.#forms.get(text.slice(from, from + shortestForm))?.find(text, from, shortestStart);
    if (found === undefined) return undefined;
    if (found === 'cut') return { from, to: text.length };
    const to = from + found.text.length;
    const [edgeBefore, edgeAfter] = found.edges ?? [0, 0];
    const before = edgeBefore === 1 && from > 0 && isBase64(text.charCodeAt(from - 1)) ? 1 : 0;
    const after = edgeAfter === 1 && to < text.length && isBase64(text.charCodeAt(to)) ? 1 : 0;
    return { from: from - before, to: to + after };
  }

  #addForm(form: SecretForm): void {
    const beginning = form.text.slice(0, shortestForm);
    let code = 0;
    for (let at = 0; at < shortestForm; at += 1) code = extended(code, beginning.charCodeAt(at));
    this.#beginnings[code >>> 5] = (this.#beginnings[code >>> 5] ?? 0) | (1 << (code & 31));
    const same = this.#forms.get(beginning) ?? new FormIndex();
    same.add(form);
    this.#forms.set(beginning, same);
  }
}

/** Returns what the redactor compares values by: the first bytes, a character each. */
const keyOf = (value: string | Buffer): string => Buffer.from(value).subarray(0, longest).toString('latin1');

/** Returns a Secret, or each Secret of a list. */
function secretsIn(body: unknown): JsonObject[] {
  const items = at(body, 'items');
  const ofSecrets = at(body, 'kind') === 'SecretList';
  const isSecret = (value: unknown): value is JsonObject => isObject(value) && at(value, 'kind') === 'Secret';
  return [
    ...(Array.isArray(items) ? items.filter((item) => (ofSecrets ? isObject(item) : isSecret(item))) : []),
    ...(isSecret(body) ? [body] : []),
  ];
}

/** Yields the data that a write of a Secret sets: a Secret, a part of one, or a list of JSON patch operations. */
function* valuesInPatch(body: unknown): Generator<string | Buffer> {
  if (!Array.isArray(body)) yield* valuesOfSecret(body);
  for (const operation of Array.isArray(body) ? body : []) {
    const value = at(operation, 'value');
    if (/^\/(?:data|stringData)(?:\/|$)/.test(String(at(operation, 'path')))) yield* valuesUnder(value);
    else yield* valuesOfSecret(value);
  }
}

function* valuesOfSecret(secret: unknown): Generator<string | Buffer> {
  const [data, stringData] = [at(secret, 'data'), at(secret, 'stringData')];
  for (const [key, value] of Object.entries(isObject(data) ? data : {})) {
    if (typeof value === 'string' && !open.has(key)) yield* valuesUnder(value);
  }
  for (const value of Object.values(isObject(stringData) ? stringData : {})) yield* valuesUnder(value);
}

/** Yields each text below a value, as it is and decoded. */
function* valuesUnder(value: unknown): Generator<string | Buffer> {
  if (isObject(value)) for (const each of Object.values(value)) yield* valuesUnder(each);
  if (typeof value !== 'string') return;
  yield value;
  yield Buffer.from(value, 'base64');
}

/** Returns a number of 20 bits for the last four characters of a text, from that number without the last character. */
const extended = (code: number, character: number): number => ((code << 5) ^ character) & 0xfffff;

/** Returns the text without JSON Web Tokens. It is read once: a target sends what looks like the beginning of one. */
function withoutTokens(text: string): string {
  let result = '';
  let done = 0;
  for (let from = text.indexOf('eyJ'); from !== -1; ) {
    const header = endOfPart(text, from);
    const payload = header - from < 11 || text[header] !== '.' ? header : endOfPart(text, header + 1);
    // No token begins later in what has no second part.
    let next = header;
    if (payload - header > 8 && text[payload] === '.') {
      next = endOfPart(text, payload + 1);
      result += text.slice(done, from) + mark;
      done = next;
    }
    from = text.indexOf('eyJ', next);
  }
  return done === 0 ? text : result + text.slice(done);
}

/** Returns where a part of a token ends: letters of base64url. */
function endOfPart(text: string, from: number): number {
  let end = from;
  for (let code = text.charCodeAt(end); isBase64(code) && code !== 43 && code !== 47; code = text.charCodeAt(end))
    end += 1;
  return end;
}

/** Reports whether a character belongs to base64 in either alphabet; padding does not. */
function isBase64(code: number): boolean {
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
  return isLetter || (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 47 || code === 95;
}
