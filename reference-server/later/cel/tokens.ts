// The words of an expression's text.
import { CompileError, type Literal } from './syntax.js';

export interface Token {
  /** `name`, `literal`, `end`, or the sign itself. */
  readonly kind: string;
  readonly at: number;
  readonly text: string;
  readonly value?: Literal;
}

const signs = ['==', '!=', '<=', '>=', '&&', '||', '[', ']', '{', '}', '(', ')', '.', ',', '-', '!', '?', ':'];
const moreSigns = ['<', '>', '+', '*', '/', '%'];
const reserved = new Map<string, Literal>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};
/** The digits of an escape by the letter that begins it: how many, and in which base. */
const codes: Readonly<Record<string, readonly [digits: number, base: number]>> = {
  x: [2, 16],
  X: [2, 16],
  u: [4, 16],
  U: [8, 16],
};

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';
const isWord = (character: string | undefined): boolean => character !== undefined && /^[A-Za-z0-9_]$/.test(character);

/** Returns the words of a text, with an `end` after them. Throws CompileError. */
export function tokensOf(text: string): readonly Token[] {
  return new Scanner(text).all();
}

class Scanner {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(readonly text: string) {
    this.#characters = [...text];
  }

  all(): readonly Token[] {
    const tokens: Token[] = [];
    for (;;) {
      this.#skip();
      const at = this.#at;
      if (at >= this.#characters.length) {
        tokens.push({ kind: 'end', at, text: '<EOF>' });
        return tokens;
      }
      tokens.push(this.#next(at));
    }
  }

  #fail(at: number, message: string): never {
    throw new CompileError(this.text, [{ at, message: `Syntax error: ${message}` }]);
  }

  #skip(): void {
    for (;;) {
      const character = this.#characters[this.#at];
      if (character !== undefined && ' \t\n\r\f'.includes(character)) this.#at += 1;
      else if (character === '/' && this.#characters[this.#at + 1] === '/') {
        while (this.#at < this.#characters.length && this.#characters[this.#at] !== '\n') this.#at += 1;
      } else return;
    }
  }

  #next(at: number): Token {
    const character = this.#characters[at] ?? '';
    if (isDigit(character) || (character === '.' && isDigit(this.#characters[at + 1]))) return this.#number(at);
    const prefix = this.#stringPrefix(at);
    if (prefix !== undefined) return this.#string(at, prefix);
    if (isWord(character)) {
      while (isWord(this.#characters[this.#at])) this.#at += 1;
      const word = this.#characters.slice(at, this.#at).join('');
      const value = reserved.get(word);
      if (word === 'in') return { kind: 'in', at, text: word };
      return value === undefined ? { kind: 'name', at, text: word } : { kind: 'literal', at, text: word, value };
    }
    const two = character + (this.#characters[at + 1] ?? '');
    const sign = signs.includes(two) ? two : [...signs, ...moreSigns].includes(character) ? character : undefined;
    if (sign === undefined) this.#fail(at, `token recognition error at: '${character}'`);
    this.#at += sign.length;
    return { kind: sign, at, text: sign };
  }

  #number(at: number): Token {
    const rest = this.#characters.slice(at, at + 400).join('');
    const [whole = '', hex, fraction, exponent, unsigned] =
      /^(?:0x([0-9a-fA-F]+)|\d*(\.\d+)?([eE][+-]?\d+)?)([uU]?)/.exec(rest) ?? [];
    this.#at += whole.length;
    const digits = unsigned ? whole.slice(0, -1) : whole;
    if (hex === undefined && (fraction !== undefined || exponent !== undefined)) {
      if (unsigned) this.#at -= 1;
      return { kind: 'literal', at, text: digits, value: Number(digits) };
    }
    const value = BigInt(digits);
    if (unsigned) {
      if (value > 0xffff_ffff_ffff_ffffn) this.#fail(at, 'invalid uint literal');
      return { kind: 'literal', at, text: whole, value: { uint: value } };
    }
    return { kind: 'literal', at, text: whole, value };
  }

  /** Returns the letters before a string's quote, or undefined if there is no string. */
  #stringPrefix(at: number): string | undefined {
    for (let length = 0; length <= 2; length += 1) {
      const prefix = this.#characters
        .slice(at, at + length)
        .join('')
        .toLowerCase();
      const quote = this.#characters[at + length];
      if ((quote === '"' || quote === "'") && ['', 'r', 'b', 'rb', 'br'].includes(prefix)) return prefix;
    }
    return undefined;
  }

  #string(at: number, prefix: string): Token {
    const isRaw = prefix.includes('r');
    const isBytes = prefix.includes('b');
    const start = at + prefix.length;
    const quote = this.#characters[start] ?? '';
    const isLong = this.#characters[start + 1] === quote && this.#characters[start + 2] === quote;
    const bytes: number[] = [];
    let value = '';
    const add = (character: string) => {
      if (isBytes) bytes.push(...Buffer.from(character));
      else value += character;
    };
    this.#at = start + (isLong ? 3 : 1);
    for (;;) {
      const character = this.#characters[this.#at];
      const isEnd = character === undefined || (!isLong && (character === '\n' || character === '\r'));
      if (isEnd) this.#fail(at, `token recognition error at: '${this.#characters.slice(at, this.#at).join('')}'`);
      const closes = isLong
        ? [0, 1, 2].every((ahead) => this.#characters[this.#at + ahead] === quote)
        : character === quote;
      if (closes) break;
      this.#at += 1;
      if (character !== '\\') add(character);
      else if (isRaw) {
        add(character);
        add(this.#characters[this.#at++] ?? '');
      } else this.#escape(at, isBytes, add, bytes);
    }
    this.#at += isLong ? 3 : 1;
    const text = this.#characters.slice(at, this.#at).join('');
    return { kind: 'literal', at, text, value: isBytes ? Uint8Array.from(bytes) : value };
  }

  #escape(at: number, isBytes: boolean, add: (character: string) => void, bytes: number[]): void {
    const letter = this.#characters[this.#at++] ?? '';
    const plain = escapes[letter];
    if (plain !== undefined) {
      add(plain);
      return;
    }
    const isOctal = letter >= '0' && letter <= '3';
    const [length, base] = codes[letter] ?? (isOctal ? [2, 8] : [0, 0]);
    const digits = (isOctal ? letter : '') + this.#characters.slice(this.#at, this.#at + length).join('');
    const isCode =
      base === 8 ? /^[0-7]{3}$/.test(digits) : length > 0 && digits.length === length && /^[0-9a-fA-F]+$/.test(digits);
    const code = Number.parseInt(digits, base || 10);
    const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    if (!isCode || !isCharacter || (isBytes && (letter === 'u' || letter === 'U'))) {
      this.#fail(at, `token recognition error at: '${this.#characters.slice(at, this.#at).join('')}'`);
    }
    this.#at += length;
    if (isBytes) bytes.push(code);
    else add(String.fromCodePoint(code));
  }
}
