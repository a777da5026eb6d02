// Parses a script into its syntax tree.
import { type Token, tokenize } from './lexer.js';
import {
  type Command,
  type Compound,
  Incomplete,
  type List,
  type Pipeline,
  type Redirect,
  ShellSyntaxError,
  type Simple,
  type Word,
} from './syntax.js';

const modes = { '<': 'read', '>': 'truncate', '>>': 'append', '>&': 'duplicate', '<&': 'duplicate' } as const;
const isMode = (text: string): text is keyof typeof modes => Object.hasOwn(modes, text);

/** The most characters of a script: the limit of an argument on Linux. */
const maxScript = 131_072;
/** The deepest nesting of `$(…)`: an inner script is read once for each enclosing script. */
const maxDepth = 16;

/**
 * Returns the syntax tree of a script. Throws ShellSyntaxError, or Incomplete if more lines could complete the script.
 */
export const parse = (script: string): List => parseAt(script, 0);

function parseAt(script: string, depth: number): List {
  if (script.length > maxScript) throw new ShellSyntaxError('the script is too long');
  if (depth > maxDepth) throw new ShellSyntaxError('$(…) is nested too deep');
  const parser = new Parser(tokenize(script, (inner) => parseAt(inner, depth + 1)));
  const list = parser.list([]);
  parser.end();
  return list;
}

class Parser {
  #at = 0;

  constructor(readonly tokens: readonly Token[]) {}

  end(): void {
    if (this.#at < this.tokens.length) throw this.#unexpected();
  }

  /** Parses pipelines up to a keyword in `until`, a closing bracket, or the end. */
  list(until: readonly string[]): List {
    const items: List[number][] = [];
    let after: List[number]['after'] = ';';
    while (this.#skip(';', '\n') && !this.#ends(until)) {
      items.push({ after, pipeline: this.#pipeline() });
      after = ';';
      const operator = this.#operator();
      if (operator === '&&' || operator === '||') {
        this.#at++;
        this.#skip('\n');
        if (this.#ends(until)) throw this.#unexpected();
        after = operator;
      } else if (operator === '&') throw new ShellSyntaxError('programs in the background are not supported');
      else if (operator !== ';' && operator !== '\n' && !this.#ends(until)) throw this.#unexpected();
    }
    return items;
  }

  #pipeline(): Pipeline {
    const negated = this.#keyword() === '!';
    if (negated) this.#at++;
    const commands = [this.#command()];
    while (this.#operator() === '|') {
      this.#at++;
      this.#skip('\n');
      commands.push(this.#command());
    }
    return { negated, commands };
  }

  #command(): Command {
    const compound = this.#compound();
    if (compound === undefined) return this.#simple();
    const redirects: Redirect[] = [];
    for (let next = this.#redirect(); next !== undefined; next = this.#redirect()) redirects.push(next);
    return { ...compound, redirects };
  }

  #compound(): Compound | undefined {
    if (this.#operator() === '(') {
      this.#at++;
      const body = this.list([')']);
      this.#expectOperator(')');
      return { kind: 'group', body, subshell: true };
    }
    const keyword = this.#keyword();
    if (keyword === '{') return { kind: 'group', body: this.#block('{', '}'), subshell: false };
    if (keyword === 'while' || keyword === 'until') {
      const condition = this.#block(keyword, 'do', false);
      return { kind: 'while', until: keyword === 'until', condition, body: this.#block('do', 'done') };
    }
    if (keyword === 'if') return this.#if();
    if (keyword === 'for') return this.#for();
    return undefined;
  }

  #if(): Compound {
    const branches: { condition: List; body: List }[] = [];
    let keyword = 'if';
    while (keyword === 'if' || keyword === 'elif') {
      const condition = this.#block(keyword, 'then', false);
      this.#expectKeyword('then');
      branches.push({ condition, body: this.list(['elif', 'else', 'fi']) });
      keyword = this.#keyword() ?? '';
    }
    const otherwise = keyword === 'else' ? { otherwise: this.#block('else', 'fi', false) } : {};
    this.#expectKeyword('fi');
    return { kind: 'if', branches, ...otherwise };
  }

  #for(): Compound {
    this.#expectKeyword('for');
    const name = this.#keyword();
    if (name === undefined || !/^[A-Za-z_]\w*$/.test(name)) throw this.#unexpected();
    this.#at++;
    const words: Word[] = [];
    if (this.#keyword() === 'in') {
      this.#at++;
      for (let token = this.#token(); token?.kind === 'word'; token = this.#token()) {
        words.push(token.word);
        this.#at++;
      }
    } else words.push([{ kind: 'variable', name: '@', quoted: true }]);
    this.#skip(';', '\n');
    return { kind: 'for', name, words, body: this.#block('do', 'done') };
  }

  /** Parses the list between two keywords. If `taken` is false, the second keyword is not consumed. */
  #block(first: string, last: string, taken = true): List {
    this.#expectKeyword(first);
    const body = this.list([last]);
    if (body.length === 0) throw this.#unexpected();
    if (taken) this.#expectKeyword(last);
    return body;
  }

  #simple(): Command & Simple {
    const assignments: { name: string; value: Word }[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      const redirect = this.#redirect();
      if (redirect !== undefined) {
        redirects.push(redirect);
        continue;
      }
      const token = this.#token();
      if (token?.kind !== 'word') break;
      const assignment = words.length === 0 ? asAssignment(token.word) : undefined;
      if (assignment === undefined) words.push(token.word);
      else assignments.push(assignment);
      this.#at++;
    }
    if (words.length + assignments.length + redirects.length === 0) throw this.#unexpected();
    return { kind: 'simple', assignments, words, redirects };
  }

  #redirect(): Redirect | undefined {
    const token = this.#token();
    if (token?.kind !== 'operator' || !isMode(token.text)) {
      if (token?.kind === 'operator' && token.text === '<<')
        throw new ShellSyntaxError('here-documents are not supported');
      return undefined;
    }
    this.#at++;
    const target = this.#token();
    if (target?.kind !== 'word') throw this.#unexpected();
    this.#at++;
    const descriptor = token.descriptor ?? (token.text.startsWith('<') ? 0 : 1);
    return { descriptor, mode: modes[token.text], target: target.word };
  }

  #token(): Token | undefined {
    return this.tokens[this.#at];
  }

  #operator(): string | undefined {
    const token = this.#token();
    return token?.kind === 'operator' ? token.text : undefined;
  }

  #keyword(): string | undefined {
    const token = this.#token();
    return token?.kind === 'word' ? token.plain : undefined;
  }

  #skip(...operators: readonly string[]): true {
    while (operators.includes(this.#operator() ?? '')) this.#at++;
    return true;
  }

  /** Reports whether the list ends here. Throws Incomplete if the script ends before a required keyword. */
  #ends(until: readonly string[]): boolean {
    if (this.#token() === undefined) {
      if (until.length > 0) throw this.#unexpected();
      return true;
    }
    return until.includes(this.#keyword() ?? this.#operator() ?? '');
  }

  #expectKeyword(keyword: string): void {
    if (this.#keyword() !== keyword) throw this.#unexpected();
    this.#at++;
  }

  #expectOperator(operator: string): void {
    if (this.#operator() !== operator) throw this.#unexpected();
    this.#at++;
  }

  #unexpected(): ShellSyntaxError {
    const token = this.#token();
    if (token === undefined) return new Incomplete('syntax error: unexpected end of file');
    const text = token.kind === 'operator' ? token.text : (token.plain ?? 'word');
    return new ShellSyntaxError(`syntax error: unexpected ${text === '\n' ? 'newline' : `"${text}"`}`);
  }
}

function asAssignment([first, ...rest]: Word): { name: string; value: Word } | undefined {
  if (first?.kind !== 'text' || first.quoted) return undefined;
  const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(first.text) ?? [];
  return name === undefined ? undefined : { name, value: [{ ...first, text: value }, ...rest] };
}
