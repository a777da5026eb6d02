// Finds faults that JSON.parse accepts but a server must refuse: in one pass, without recursion or building values.
import { longNumber } from '../exactJson.js';
import type { RepeatedFields } from './fieldPaths.js';

/**
 * The maximum nesting of accepted JSON. API objects have less than a tenth of this depth, and the stack suffices for
 * ten times as much in every recursive function of the server (validation, patches, encoding).
 */
export const maximumDepth = 1000;

/** The description of a fault, and the index of its first character. */
export interface Fault {
  readonly what: string;
  readonly at: number;
}

/** The characters of a string without escapes: the fastest way to skip a long string. */
const plain = /[ !#-[\]-\uffff]*/y;
const escaped = /\\u[0-9a-fA-F]{4}/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const literals: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The next expected token: a value, a value or `]`, a key, a key or `}`, or the token after a value. */
enum Next {
  Value,
  ValueOrEnd,
  Key,
  KeyOrEnd,
  After,
}

/** Receives the indices of container starts, commas and container ends. */
export interface ScanListener {
  opened(at: number, isArray: boolean): void;
  comma(at: number): void;
  closed(at: number): void;
}

/**
 * Finds the first fault of a JSON text, part by part: a syntax error, a repeated key, a `__proto__` key, or excessive
 * nesting. With `duplicates`, which collects them, repeated keys are not a fault.
 */
export class JsonScanner {
  /** The keys of each open object; undefined for an open array. */
  readonly #open: (Set<string> | undefined)[] = [];
  #next = Next.Value;
  #at = 0;
  #isOver = false;
  /** Whether the text has a number that JSON.parse may round. */
  hasLongNumber = false;

  constructor(
    readonly text: string,
    readonly listener?: ScanListener,
    readonly duplicates?: RepeatedFields,
  ) {}

  /** Whether the whole text is scanned. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Scans up to about this index. Returns the fault, if any, which ends the scan. */
  scan(until: number): Fault | undefined {
    const { text, listener, duplicates } = this;
    const paths = duplicates?.paths;
    const open = this.#open;
    let next = this.#next;
    let at = this.#at;
    this.#isOver = true;
    for (;;) {
      if (at >= until) {
        this.#next = next;
        this.#at = at;
        this.#isOver = false;
        return undefined;
      }
      at = skipSpace(text, at);
      const char = text.charCodeAt(at);
      if (next === Next.After) {
        if (open.length === 0) return at >= text.length ? undefined : unexpected(text, at, 'after top-level value');
        const keys = open[open.length - 1];
        if (char === 0x2c) {
          next = keys === undefined ? Next.Value : Next.Key;
          listener?.comma(at);
          paths?.goOn();
        } else if (char === (keys === undefined ? closeBracket : closeBrace)) {
          open.pop();
          listener?.closed(at);
          paths?.leave();
        } else {
          return unexpected(text, at, keys === undefined ? 'after array element' : 'after object key:value pair');
        }
        at++;
      } else if (next === Next.Key || next === Next.KeyOrEnd) {
        if (char === closeBrace && next === Next.KeyOrEnd) {
          open.pop();
          listener?.closed(at);
          paths?.leave();
          next = Next.After;
          at++;
          continue;
        }
        if (char !== quote) return unexpected(text, at, 'looking for beginning of object key string');
        const end = stringEnd(text, at);
        if (typeof end !== 'number') return end;
        const fault = addKey(open[open.length - 1], text, at, end, duplicates);
        if (fault !== undefined) return fault;
        at = skipSpace(text, end);
        if (text.charCodeAt(at) !== 0x3a) return unexpected(text, at, 'after object key');
        at++;
        next = Next.Value;
      } else if (char === openBrace || char === openBracket) {
        if (open.length === maximumDepth) return { what: `nesting is deeper than ${maximumDepth}`, at };
        open.push(char === openBrace ? new Set() : undefined);
        listener?.opened(at, char === openBracket);
        paths?.enter(char === openBracket ? 0 : '');
        next = char === openBrace ? Next.KeyOrEnd : Next.ValueOrEnd;
        at++;
      } else if (char === closeBracket && next === Next.ValueOrEnd) {
        open.pop();
        listener?.closed(at);
        paths?.leave();
        next = Next.After;
        at++;
      } else {
        const end = scalarEnd(text, at, char);
        if (typeof end !== 'number') return end;
        if (end - at >= longNumber && char !== quote) this.hasLongNumber = true;
        at = end;
        next = Next.After;
      }
    }
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const char = text.charCodeAt(at);
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return at;
    at++;
  }
}

function unexpected(text: string, at: number, where: string): Fault {
  if (at >= text.length) return { what: 'unexpected end of JSON input', at: text.length };
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return { what: `invalid character ${char === "'" ? `"'"` : `'${JSON.stringify(char).slice(1, -1)}'`} ${where}`, at };
}

function addKey(
  keys: Set<string> | undefined,
  text: string,
  start: number,
  end: number,
  duplicates: RepeatedFields | undefined,
): Fault | undefined {
  const raw = text.slice(start + 1, end - 1);
  const key = raw.includes('\\') ? String(JSON.parse(text.slice(start, end))) : raw;
  if (key === '__proto__') return { what: 'the key "__proto__" is not allowed', at: start };
  duplicates?.paths.goTo(key);
  if (keys?.has(key)) {
    if (duplicates === undefined) return { what: `duplicate key ${JSON.stringify(key)}`, at: start };
    duplicates.add(keys.size);
  }
  keys?.add(key);
  return undefined;
}

/** The second characters of two-character escapes: a long text may consist of these escapes. */
const shortEscapes = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)));

/** Returns the index after a string, or the fault in the string. */
function stringEnd(text: string, start: number): number | Fault {
  for (let at = start + 1; ; ) {
    let char = text.charCodeAt(at);
    if (char !== backslash) {
      plain.lastIndex = at;
      plain.test(text);
      at = plain.lastIndex;
      char = text.charCodeAt(at);
      if (char === quote) return at + 1;
      if (char !== backslash) return unexpected(text, at, 'in string literal');
    }
    if (shortEscapes.has(text.charCodeAt(at + 1))) at += 2;
    else {
      escaped.lastIndex = at;
      if (!escaped.test(text)) return unexpected(text, at + 1, 'in string escape code');
      at = escaped.lastIndex;
    }
  }
}

function scalarEnd(text: string, at: number, char: number): number | Fault {
  if (char === quote) return stringEnd(text, at);
  const literal = literals[text.charAt(at)];
  if (literal !== undefined) {
    for (let offset = 1; offset < literal.length; offset++) {
      if (text.charCodeAt(at + offset) !== literal.charCodeAt(offset)) {
        return unexpected(text, at + offset, `in literal ${literal} (expecting '${literal.charAt(offset)}')`);
      }
    }
    return at + literal.length;
  }
  const after = text.charCodeAt(at + 1);
  if (char > 0x30 && char <= 0x39 && (after === 0x2c || after === closeBrace || after === closeBracket)) return at + 1;
  number.lastIndex = at;
  if (!number.test(text)) return unexpected(text, at, 'looking for beginning of value');
  const end = number.lastIndex;
  // 1e999 would become Infinity, which JSON writes as null.
  if (end - at > 300 || /[eE]/.test(text.slice(at, end))) {
    if (!Number.isFinite(Number(text.slice(at, end)))) return { what: 'the number is too large', at };
  }
  return end;
}
