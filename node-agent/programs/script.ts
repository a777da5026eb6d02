// The language of the shell: parses a script into its syntax tree.

/** A part of a word. The value of a part that is not quoted is split into fields. */
export type WordPart = { readonly quoted: boolean } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'arithmetic'; readonly expression: string }
  | { readonly kind: 'substitution'; readonly script: Script }
);

export type Word = readonly WordPart[];

export interface Redirect {
  readonly descriptor: 0 | 1 | 2;
  /** `duplicate` copies the descriptor that the target names. */
  readonly mode: 'read' | 'truncate' | 'append' | 'duplicate';
  readonly target: Word;
}

export interface SimpleCommand {
  readonly kind: 'simple';
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  readonly words: readonly Word[];
}

export type CompoundCommand =
  | { readonly kind: 'if'; readonly condition: Script; readonly body: Script; readonly otherwise: Script | undefined }
  | { readonly kind: 'while'; readonly condition: Script; readonly body: Script }
  | { readonly kind: 'for'; readonly name: string; readonly words: readonly Word[]; readonly body: Script };

export type Command = (SimpleCommand | CompoundCommand) & { readonly redirects: readonly Redirect[] };

/** Pipelines, each with the operator before it; the first one has `;`. After `!` the status is the opposite. */
export type Script = readonly {
  readonly after: ';' | '&&' | '||';
  readonly isNegated: boolean;
  readonly pipeline: readonly Command[];
}[];

/** The script is invalid, or uses what the shell does not have. */
export class ScriptError extends Error {
  override readonly name: string = 'ScriptError';
}

/** The script ends early: more lines could complete it. */
export class IncompleteScript extends ScriptError {
  override readonly name = 'IncompleteScript';
}

/** The most characters of a script: the limit of an argument on Linux. */
const maxScript = 131_072;
/** The deepest nesting of scripts in `$(…)`, `if` and loops. */
const maxDepth = 32;

const modes = { '<': 'read', '>': 'truncate', '>>': 'append', '>&': 'duplicate' } as const;

/** The words that mean something at the start of a command in other shells. */
const unsupported = new Set(
  '. { break case continue elif eval export function local return select set shift source unset until'.split(' '),
);

/** Throws ScriptError, or IncompleteScript if more lines could complete the script. */
export function parseScript(text: string): Script {
  if (text.length > maxScript) throw new ScriptError('the script is too long');
  return new Parser(text).script();
}

class Parser {
  #at = 0;
  #depth: number;

  /** `depth` is how deeply the script is nested in others. */
  constructor(
    readonly text: string,
    depth = 0,
  ) {
    this.#depth = depth;
  }

  /** Parses pipelines up to one of these words or operators, which is not consumed; by default, up to the end. */
  script(...until: readonly string[]): Script {
    if (++this.#depth > maxDepth) throw new ScriptError('the script is nested too deeply');
    const items: Script[number][] = [];
    let after: Script[number]['after'] = ';';
    for (;;) {
      while (this.#take(...(after === ';' ? [';', '\n'] : ['\n'])));
      if (after === ';' && this.#ends(until)) break;
      const isNegated = this.#peekWord() === '!';
      if (isNegated) this.#expectWord('!');
      items.push({ after, isNegated, pipeline: this.#pipeline() });
      const operator = this.#take('&&', '||', ';', '\n');
      after = operator === '&&' || operator === '||' ? operator : ';';
      if (operator === undefined && !this.#ends(until)) throw this.#unexpected();
    }
    this.#depth--;
    return items;
  }

  #pipeline(): Command[] {
    const commands = [this.#command()];
    while (this.#take('|')) {
      while (this.#take('\n'));
      commands.push(this.#command());
    }
    return commands;
  }

  #command(): Command {
    const first = this.#peekWord();
    if (unsupported.has(first)) throw new ScriptError(`${first} is not supported`);
    if (first !== 'if' && first !== 'while' && first !== 'for') return this.#simple();
    this.#expectWord(first);
    const command = first === 'if' ? this.#if() : first === 'while' ? this.#while() : this.#for();
    const redirects: Redirect[] = [];
    for (let next = this.#redirect(); next !== undefined; next = this.#redirect()) redirects.push(next);
    return { ...command, redirects };
  }

  #if(): CompoundCommand {
    const condition = this.#block('then');
    this.#expectWord('then');
    const body = this.#block('else', 'fi');
    let otherwise: Script | undefined;
    if (this.#peekWord() === 'else') {
      this.#expectWord('else');
      otherwise = this.#block('fi');
    }
    this.#expectWord('fi');
    return { kind: 'if', condition, body, otherwise };
  }

  #while(): CompoundCommand {
    return { kind: 'while', condition: this.#block('do'), body: this.#loopBody() };
  }

  #for(): CompoundCommand {
    const name = this.#peekWord();
    if (!/^[A-Za-z_]\w*$/.test(name)) throw this.#unexpected();
    this.#expectWord(name);
    this.#expectWord('in');
    const words: Word[] = [];
    for (let word = this.#word(); word.length > 0; word = this.#word()) words.push(word);
    while (this.#take(';', '\n'));
    return { kind: 'for', name, words, body: this.#loopBody() };
  }

  #loopBody(): Script {
    this.#expectWord('do');
    const body = this.#block('done');
    this.#expectWord('done');
    return body;
  }

  #block(...until: readonly string[]): Script {
    const body = this.script(...until);
    if (body.length === 0) throw this.#unexpected();
    return body;
  }

  #simple(): Command {
    const assignments: { name: string; value: Word }[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      const redirect = this.#redirect();
      const word = redirect === undefined ? this.#word() : [];
      if (redirect !== undefined) redirects.push(redirect);
      else if (word.length === 0) break;
      else {
        const assignment = words.length === 0 ? asAssignment(word) : undefined;
        if (assignment === undefined) words.push(word);
        else assignments.push(assignment);
      }
    }
    if (words.length + assignments.length + redirects.length === 0) throw this.#unexpected();
    return { kind: 'simple', assignments, words, redirects };
  }

  #redirect(): Redirect | undefined {
    this.#skipBlanks();
    const [, number, operator = ''] = this.#match(/([012])?(<<|<&|>&|>>|<|>)/y) ?? [];
    if (operator === '') return undefined;
    if (operator === '<<' || operator === '<&') throw new ScriptError(`${operator} is not supported`);
    const target = this.#word();
    if (target.length === 0) throw this.#unexpected();
    const descriptor = Number(number ?? (operator === '<' ? 0 : 1)) as Redirect['descriptor'];
    return { descriptor, mode: modes[operator as keyof typeof modes], target };
  }

  /** Parses a word; without parts if there is none. */
  #word(): Word {
    this.#skipBlanks();
    const parts: WordPart[] = [];
    const addText = (text: string, quoted: boolean) => parts.push({ kind: 'text', text, quoted });
    for (;;) {
      const [plain] = this.#match(/[^\s;&|()<>'"`\\$]+/y) ?? [];
      if (plain !== undefined) addText(plain, false);
      else if (this.#match(/'/y)) {
        const [, text] = this.#match(/([^']*)'/y) ?? [];
        if (text === undefined) throw new IncompleteScript('unterminated quoted string');
        addText(text, true);
      } else if (this.#match(/"/y)) this.#doubleQuoted(parts);
      else if (this.text[this.#at] === '$') parts.push(this.#expansion(false));
      else if (this.text[this.#at] === '\\') {
        const [, character] = this.#match(/\\([\s\S])/y) ?? [];
        if (character === undefined) throw new IncompleteScript('unexpected end of file after a backslash');
        if (character !== '\n') addText(character, true);
      } else {
        const substitution = this.#backticks(false);
        if (substitution === undefined) return parts;
        parts.push(substitution);
      }
    }
  }

  /** Parses up to the closing quote. */
  #doubleQuoted(parts: WordPart[]): void {
    // An empty text makes `""` a word.
    parts.push({ kind: 'text', text: '', quoted: true });
    while (!this.#match(/"/y)) {
      if (this.#match(/\\\n/y)) continue;
      const [, escaped, text = escaped] = this.#match(/\\(["\\$`])|([^"\\$`]+|\\)/y) ?? [];
      if (text !== undefined) parts.push({ kind: 'text', text, quoted: true });
      else if (this.text[this.#at] === '$') parts.push(this.#expansion(true));
      else {
        const substitution = this.#backticks(true);
        if (substitution === undefined) throw new IncompleteScript('unterminated quoted string');
        parts.push(substitution);
      }
    }
  }

  /** Parses a script between backticks, where a backslash is for a backtick, a `$` or a backslash; undefined if none begins here. */
  #backticks(quoted: boolean): WordPart | undefined {
    if (this.text[this.#at] !== '`') return undefined;
    const [, text] = this.#match(/`((?:[^`\\]|\\[\s\S])*)`/y) ?? [];
    if (text === undefined) throw new IncompleteScript('unterminated ` quoted string');
    const script = new Parser(text.replace(quoted ? /\\([`$\\"])/g : /\\([`$\\])/g, '$1'), this.#depth).script();
    return { kind: 'substitution', script, quoted };
  }

  /** Parses `$NAME`, `${NAME}`, `$?`, `$(script)`, `$((expression))`, or a `$` for itself. */
  #expansion(quoted: boolean): WordPart {
    const [, expression] = this.#match(/\$\(\(([^()]*)\)\)/y) ?? [];
    if (expression !== undefined) return { kind: 'arithmetic', expression, quoted };
    if (this.#match(/\$\(/y)) {
      const script = this.script(')');
      this.#take(')');
      return { kind: 'substitution', script, quoted };
    }
    const [, bare, name = bare] = this.#match(/\$(?:([A-Za-z_]\w*|\?)|\{([A-Za-z_]\w*|\?)\})/y) ?? [];
    if (name !== undefined) return { kind: 'variable', name, quoted };
    const [other] = this.#match(/\$(?:\{[^}]*\}?|[\d@*#$!-])/y) ?? [];
    if (other !== undefined) throw new ScriptError(`${other} is not supported`);
    this.#at++;
    return { kind: 'text', text: '$', quoted };
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }

  /** Skips spaces, continued lines, and a comment. */
  #skipBlanks(): void {
    this.#match(/(?:[ \t\r]|\\\n)*(?:#[^\n]*)?/y);
  }

  /** Returns the operator here, without consuming it. */
  #peekOperator(): string | undefined {
    this.#skipBlanks();
    return /^(?:&&|\|\||;;|<<|>>|[;&|()<>\n])/.exec(this.text.slice(this.#at, this.#at + 2))?.[0];
  }

  /** Consumes the operator here if it is one of these. */
  #take(...operators: readonly string[]): string | undefined {
    const operator = this.#peekOperator();
    if (operator === undefined || !operators.includes(operator)) return undefined;
    this.#at += operator.length;
    return operator;
  }

  /** Returns the word here without consuming it; empty if it has quotes or expansions, since a keyword has none. */
  #peekWord(): string {
    this.#skipBlanks();
    const pattern = /[^\s;&|()<>'"`\\$]+(?=[\s;&|()<>]|$)/y;
    pattern.lastIndex = this.#at;
    return pattern.exec(this.text)?.[0] ?? '';
  }

  #expectWord(word: string): void {
    if (this.#peekWord() !== word) throw this.#unexpected();
    this.#at += word.length;
  }

  /** Throws IncompleteScript if the text ends before one of these words or operators. */
  #ends(until: readonly string[]): boolean {
    this.#skipBlanks();
    if (this.#at < this.text.length) return until.includes(this.#peekWord() || (this.#peekOperator() ?? ''));
    if (until.length > 0) throw this.#unexpected();
    return true;
  }

  #unexpected(): ScriptError {
    this.#skipBlanks();
    if (this.#at >= this.text.length) return new IncompleteScript('syntax error: unexpected end of file');
    const operator = this.#peekOperator();
    if (operator === '&' || operator === '(') return new ScriptError(`${operator} is not supported`);
    const found = operator ?? this.#peekWord();
    return new ScriptError(`syntax error: unexpected ${found === '\n' ? 'newline' : `"${found}"`}`);
  }
}

function asAssignment([first, ...rest]: Word): { name: string; value: Word } | undefined {
  if (first?.kind !== 'text' || first.quoted) return undefined;
  const [, name, text = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(first.text) ?? [];
  return name === undefined ? undefined : { name, value: [{ ...first, text }, ...rest] };
}
