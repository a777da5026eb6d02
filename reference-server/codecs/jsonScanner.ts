// Finds what JSON.parse accepts and a server must not: one pass over the text, no recursion, nothing built.

/**
 * The deepest nesting that is read. No object of the API nests to a tenth of it, and every recursive walk of this
 * server (validation, patches, encoding) has stack for ten times as much.
 */
export const maximumDepth = 1000;

/** What is wrong, in words, and the index of the first character that shows it. */
export interface Fault {
  readonly what: string;
  readonly at: number;
}

/** Within a string, what stands for itself: the fastest way over a long one. */
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

/** What may come next: a value, a value or `]`, a key, a key or `}`, or what follows a value. */
enum Next {
  Value,
  ValueOrEnd,
  Key,
  KeyOrEnd,
  After,
}

/** Who hears where the containers of a text begin and end, and where the commas in them are: indices of the text. */
export interface Listener {
  opened(at: number, isArray: boolean): void;
  comma(at: number): void;
  closed(at: number): void;
}

/** Finds the first fault of a JSON text: syntax, a repeated key, a `__proto__` key, or too deep a nesting. */
export function findJsonFault(text: string): Fault | undefined {
  return new JsonScanner(text).scan(Number.POSITIVE_INFINITY);
}

/** The same for a long text, some of it at a time. */
export class JsonScanner {
  /** The keys of each open object; undefined for an open array. */
  readonly #open: (Set<string> | undefined)[] = [];
  #next = Next.Value;
  #at = 0;
  #isOver = false;

  constructor(
    readonly text: string,
    readonly listener?: Listener,
  ) {}

  /** Whether there is nothing more to look at. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Looks on until about so many characters have been seen in all. Answers the fault that it finds, which ends it. */
  scan(until: number): Fault | undefined {
    const { text, listener } = this;
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
        } else if (char === (keys === undefined ? closeBracket : closeBrace)) {
          open.pop();
          listener?.closed(at);
        } else {
          return unexpected(text, at, keys === undefined ? 'after array element' : 'after object key:value pair');
        }
        at++;
      } else if (next === Next.Key || next === Next.KeyOrEnd) {
        if (char === closeBrace && next === Next.KeyOrEnd) {
          open.pop();
          listener?.closed(at);
          next = Next.After;
          at++;
          continue;
        }
        if (char !== quote) return unexpected(text, at, 'looking for beginning of object key string');
        const end = stringEnd(text, at);
        if (typeof end !== 'number') return end;
        const fault = addKey(open[open.length - 1], text, at, end);
        if (fault !== undefined) return fault;
        at = skipSpace(text, end);
        if (text.charCodeAt(at) !== 0x3a) return unexpected(text, at, 'after object key');
        at++;
        next = Next.Value;
      } else if (char === openBrace || char === openBracket) {
        if (open.length === maximumDepth) return { what: `nesting is deeper than ${maximumDepth}`, at };
        open.push(char === openBrace ? new Set() : undefined);
        listener?.opened(at, char === openBracket);
        next = char === openBrace ? Next.KeyOrEnd : Next.ValueOrEnd;
        at++;
      } else if (char === closeBracket && next === Next.ValueOrEnd) {
        open.pop();
        listener?.closed(at);
        next = Next.After;
        at++;
      } else {
        const end = scalarEnd(text, at, char);
        if (typeof end !== 'number') return end;
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

function addKey(keys: Set<string> | undefined, text: string, start: number, end: number): Fault | undefined {
  const raw = text.slice(start + 1, end - 1);
  const key = raw.includes('\\') ? String(JSON.parse(text.slice(start, end))) : raw;
  if (key === '__proto__') return { what: 'the key "__proto__" is not allowed', at: start };
  if (keys?.has(key)) return { what: `duplicate key ${JSON.stringify(key)}`, at: start };
  keys?.add(key);
  return undefined;
}

/** Characters that end an escape of two: a long text may consist of them. */
const shortEscapes = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)));

/** The index after a string, or what is wrong in it. */
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
  // 1e999 would become Infinity, and Infinity null
  if (end - at > 300 || /[eE]/.test(text.slice(at, end))) {
    if (!Number.isFinite(Number(text.slice(at, end)))) return { what: 'the number is too large', at };
  }
  return end;
}
