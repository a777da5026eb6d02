// From the text of an expression to its tree, by precedence. Neither library of npm that parses CEL knows all that
// Kubernetes uses (optional items, objects), or keeps the places that messages name.
import { expandGlobal, expandMember, MacroError } from './macros.js';
import { CompileError, type MapEntry, type Node, type ObjectEntry } from './syntax.js';
import { type Token, tokensOf } from './tokens.js';

/** The longest text, in characters, and the deepest tree. Both ends of it are recursive. */
const longest = 100_000;
const deepest = 250;

const levels: readonly (readonly string[])[] = [
  ['==', '!=', '<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];
const operands =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const reserved = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

/** Returns the tree of a text. Throws CompileError. */
export function parse(text: string): Node {
  if (text.length > longest) {
    const message = `expression code point size exceeds limit: size: ${text.length}, limit ${longest}`;
    throw new CompileError('', [{ at: 0, message }]);
  }
  return new Parser(text).whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(readonly text: string) {
    this.#tokens = tokensOf(text);
  }

  whole(): Node {
    const node = this.#expression();
    if (this.#token.kind !== 'end') this.#unexpected(`expecting <EOF>`);
    return node;
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #fail(at: number, message: string): never {
    throw new CompileError(this.text, [{ at, message }]);
  }

  #unexpected(expecting: string): never {
    const { at, text, kind } = this.#token;
    const what = kind === 'end' ? 'mismatched' : 'extraneous';
    this.#fail(at, `Syntax error: ${what} input '${text}' ${expecting}`);
  }

  #take(kind: string): Token | undefined {
    const token = this.#token;
    if (token.kind !== kind) return undefined;
    this.#next += 1;
    return token;
  }

  #expect(kind: string): Token {
    const token = this.#take(kind);
    if (token === undefined) {
      const { at, text } = this.#token;
      this.#fail(
        at,
        `Syntax error: mismatched input '${text}' expecting ${kind === 'name' ? 'IDENTIFIER' : `'${kind}'`}`,
      );
    }
    return token;
  }

  /** Counts the levels of the tree, since the functions that walk it recurse. */
  #deeper<Result>(work: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > deepest) this.#fail(this.#token.at, `expression recursion limit exceeded: ${deepest}`);
    const result = work();
    this.#depth -= 1;
    return result;
  }

  #expression(): Node {
    return this.#deeper(() => {
      const condition = this.#logical('||', () => this.#logical('&&', () => this.#binary(0)));
      const question = this.#take('?');
      if (question === undefined) return condition;
      const yes = this.#logical('||', () => this.#logical('&&', () => this.#binary(0)));
      this.#expect(':');
      return call(question.at, '_?_:_', [condition, yes, this.#expression()]);
    });
  }

  /** Terms of one logical operator form a balanced tree, so that many are not deep. */
  #logical(sign: '||' | '&&', term: () => Node): Node {
    const terms = [term()];
    const places: number[] = [];
    for (let token = this.#take(sign); token !== undefined; token = this.#take(sign)) {
      places.push(token.at);
      terms.push(term());
    }
    const build = (from: number, to: number): Node => {
      if (from === to) return terms[from] as Node;
      const middle = Math.floor((from + to) / 2);
      return call(places[middle] ?? 0, `_${sign}_`, [build(from, middle), build(middle + 1, to)]);
    };
    return build(0, terms.length - 1);
  }

  #binary(level: number): Node {
    const signs = levels[level];
    if (signs === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (let count = 0; signs.includes(this.#token.kind); count += 1) {
      const { kind, at } = this.#token;
      if (count + this.#depth > deepest) this.#fail(at, `expression recursion limit exceeded: ${deepest}`);
      this.#next += 1;
      left = call(at, kind === 'in' ? '@in' : `_${kind}_`, [left, this.#binary(level + 1)]);
    }
    return left;
  }

  #unary(): Node {
    const sign = this.#take('!') ?? this.#take('-');
    if (sign === undefined) return this.#member();
    const next = this.#token;
    if (sign.kind === '-' && next.kind === 'literal' && next.at === sign.at + 1) {
      if (typeof next.value === 'bigint' || typeof next.value === 'number') {
        this.#next += 1;
        return this.#suffixes(this.#literal(sign.at, -next.value as bigint | number));
      }
    }
    // An even number of equal signs cancels out.
    let isOdd = true;
    while (this.#take(sign.kind) !== undefined) isOdd = !isOdd;
    const operand = this.#member();
    return isOdd ? call(sign.at, sign.kind === '!' ? '!_' : '-_', [operand]) : operand;
  }

  #literal(at: number, value: bigint | number): Node {
    if (typeof value === 'bigint' && value !== BigInt.asIntN(64, value))
      this.#fail(at, 'Syntax error: invalid int literal');
    return { kind: 'literal', at, value };
  }

  #member(): Node {
    return this.#suffixes(this.#primary());
  }

  #suffixes(start: Node): Node {
    let node = start;
    for (let count = 0; ; count += 1) {
      if (count + this.#depth > deepest) this.#fail(this.#token.at, `expression recursion limit exceeded: ${deepest}`);
      const dot = this.#take('.');
      if (dot !== undefined) node = this.#afterDot(node, dot.at);
      else {
        const bracket = this.#take('[');
        if (bracket === undefined) return node;
        const isOptional = this.#take('?') !== undefined;
        const index = this.#expression();
        this.#expect(']');
        node = call(bracket.at, isOptional ? '_[?_]' : '_[_]', [node, index]);
      }
    }
  }

  #afterDot(of: Node, at: number): Node {
    if (this.#take('?') !== undefined) {
      const { text, at: nameAt } = this.#expect('name');
      return call(at, '_?._', [of, { kind: 'literal', at: nameAt, value: text }]);
    }
    const { text } = this.#expect('name');
    const open = this.#take('(');
    if (open === undefined) return { kind: 'select', at, of, field: text, test: false };
    const args = this.#items(')');
    return this.#expanded(() => expandMember(open.at, of, text, args)) ?? { ...call(open.at, text, args), target: of };
  }

  #expanded(expand: () => Node | undefined): Node | undefined {
    try {
      return expand();
    } catch (error) {
      if (error instanceof MacroError) this.#fail(error.at, error.message);
      throw error;
    }
  }

  #primary(): Node {
    const token = this.#token;
    const { at } = token;
    if (this.#take('literal') !== undefined) {
      const { value = null } = token;
      return typeof value === 'bigint' ? this.#literal(at, value) : { kind: 'literal', at, value };
    }
    if (this.#take('(') !== undefined) {
      const node = this.#expression();
      this.#expect(')');
      return node;
    }
    if (this.#take('[') !== undefined) return this.#list(at);
    if (this.#take('{') !== undefined) return { kind: 'map', at, entries: this.#mapEntries() };
    this.#take('.');
    const name = this.#take('name');
    if (name === undefined) this.#unexpected(`expecting ${operands}`);
    return this.#named(name);
  }

  #named({ at, text }: Token): Node {
    if (reserved.has(text)) this.#fail(at, `Syntax error: reserved identifier: ${text}`);
    const open = this.#take('(');
    if (open !== undefined) {
      const args = this.#items(')');
      return this.#expanded(() => expandGlobal(open.at, text, args)) ?? call(open.at, text, args);
    }
    const type = this.#objectType(text);
    if (type === undefined) return { kind: 'name', at, name: text };
    const brace = this.#expect('{');
    return { kind: 'object', at: brace.at, type, entries: this.#objectEntries() };
  }

  /** Returns the name of an object's type if one follows: `a.b.C{`. */
  #objectType(first: string): string | undefined {
    const names = [first];
    let next = this.#next;
    while (this.#tokens[next]?.kind === '.' && this.#tokens[next + 1]?.kind === 'name') {
      names.push(this.#tokens[next + 1]?.text ?? '');
      next += 2;
    }
    if (this.#tokens[next]?.kind !== '{') return undefined;
    this.#next = next;
    return names.join('.');
  }

  #items(end: string): Node[] {
    const items: Node[] = [];
    while (this.#take(end) === undefined) {
      if (items.length > 0) this.#expect(',');
      items.push(this.#expression());
    }
    return items;
  }

  #list(at: number): Node {
    const items: Node[] = [];
    const optional = new Set<number>();
    while (this.#take(']') === undefined) {
      if (items.length > 0) {
        this.#expect(',');
        if (this.#take(']') !== undefined) break;
      }
      if (this.#take('?') !== undefined) optional.add(items.length);
      items.push(this.#expression());
    }
    return { kind: 'list', at, items, optional };
  }

  *#separated(): Generator<boolean> {
    for (let isFirst = true; this.#take('}') === undefined; isFirst = false) {
      if (!isFirst) {
        this.#expect(',');
        if (this.#take('}') !== undefined) return;
      }
      yield this.#take('?') !== undefined;
    }
  }

  #mapEntries(): readonly MapEntry[] {
    const entries: MapEntry[] = [];
    for (const optional of this.#separated()) {
      const key = this.#expression();
      this.#expect(':');
      entries.push({ key, value: this.#expression(), optional });
    }
    return entries;
  }

  #objectEntries(): readonly ObjectEntry[] {
    const entries: ObjectEntry[] = [];
    for (const optional of this.#separated()) {
      const { text: field, at } = this.#expect('name');
      this.#expect(':');
      entries.push({ at, field, value: this.#expression(), optional });
    }
    return entries;
  }
}

const call = (at: number, name: string, args: readonly Node[]): Node & { kind: 'call' } => ({
  kind: 'call',
  at,
  name,
  args,
});
