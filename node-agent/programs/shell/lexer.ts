// Splits a script into words and operators.
import { Incomplete, type List, type Part, ShellSyntaxError, type Word } from './syntax.js';

export type Token =
  | { readonly kind: 'word'; readonly word: Word; readonly plain: string | undefined }
  | { readonly kind: 'operator'; readonly text: string; readonly descriptor?: 0 | 1 | 2 };

const operators = ['&&', '||', ';;', '>>', '>&', '<<', '<&', ';', '|', '&', '(', ')', '<', '>', '\n'];
const wordEnd = /[\s;&|()<>]/;
const variableName = /^(?:[A-Za-z_]\w*|[0-9?#@*$!])/;

/** Returns the tokens of a script. `parse` parses scripts inside `$(…)`. Throws ShellSyntaxError. */
export function tokenize(script: string, parse: (script: string) => List): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < script.length) {
    const character = script.charAt(at);
    if (character === ' ' || character === '\t' || character === '\r') at++;
    else if (script.startsWith('\\\n', at)) at += 2;
    else if (character === '#') at = lineEnd(script, at);
    else {
      const redirect = /^([012])(?=[<>])/.exec(script.slice(at, at + 2));
      if (redirect) at++;
      const operator = operators.find((text) => script.startsWith(text, at));
      if (operator === undefined) {
        const { word, plain, end } = readWord(script, at, parse);
        tokens.push({ kind: 'word', word, plain });
        at = end;
      } else {
        const descriptor = redirect ? { descriptor: Number(redirect[1]) as 0 | 1 | 2 } : {};
        tokens.push({ kind: 'operator', text: operator, ...descriptor });
        at += operator.length;
      }
    }
  }
  return tokens;
}

function lineEnd(script: string, from: number): number {
  const newline = script.indexOf('\n', from);
  return newline < 0 ? script.length : newline;
}

/** Reads a word. `plain` is its text if no part is quoted or expanded: only such a word can be a keyword. */
function readWord(script: string, from: number, parse: (script: string) => List) {
  const parts: Part[] = [];
  let at = from;
  while (at < script.length && !wordEnd.test(script.charAt(at))) {
    const character = script.charAt(at);
    if (character === "'") {
      const end = closing(script, "'", at + 1);
      parts.push({ kind: 'text', text: script.slice(at + 1, end), quoted: true });
      at = end + 1;
    } else if (character === '"') at = readDoubleQuoted(script, at + 1, parts, parse);
    else if (character === '`') throw new ShellSyntaxError('backquotes are not supported; write $(…)');
    else if (character === '\\') {
      if (at + 1 >= script.length) throw new Incomplete('unexpected end of file after a backslash');
      if (script[at + 1] !== '\n') parts.push({ kind: 'text', text: script.charAt(at + 1), quoted: true });
      at += 2;
    } else if (character === '$') at = readExpansion(script, at, parts, false, parse);
    else {
      let end = at + 1;
      while (end < script.length && !/[\s;&|()<>'"`\\$]/.test(script.charAt(end))) end++;
      parts.push({ kind: 'text', text: script.slice(at, end), quoted: false });
      at = end;
    }
  }
  const plain = parts.every((part) => part.kind === 'text' && !part.quoted) ? script.slice(from, at) : undefined;
  return { word: parts, plain, end: at };
}

/** Reads up to the closing quote. Returns the position after it. */
function readDoubleQuoted(script: string, from: number, parts: Part[], parse: (script: string) => List): number {
  let text = '';
  let at = from;
  const flush = () => {
    parts.push({ kind: 'text', text, quoted: true });
    text = '';
  };
  while (at < script.length) {
    const character = script.charAt(at);
    if (character === '"') {
      flush();
      return at + 1;
    }
    if (character === '\\' && /["\\$`\n]/.test(script.charAt(at + 1))) {
      if (script[at + 1] !== '\n') text += script.charAt(at + 1);
      at += 2;
    } else if (character === '$') {
      flush();
      at = readExpansion(script, at, parts, true, parse);
    } else {
      text += character;
      at++;
    }
  }
  throw new Incomplete('unterminated quoted string');
}

/** Reads `$NAME`, `${NAME:-word}`, `$(script)`, `$((expression))` or a single `$`. Returns the position after it. */
function readExpansion(
  script: string,
  from: number,
  parts: Part[],
  quoted: boolean,
  parse: (script: string) => List,
): number {
  const rest = script.slice(from + 1, from + 256);
  if (script.startsWith('$((', from)) {
    const end = closing(script, ')', from + 3);
    if (script[end + 1] !== ')') throw new ShellSyntaxError("missing '))'");
    parts.push({ kind: 'arithmetic', text: script.slice(from + 3, end), quoted });
    return end + 2;
  }
  if (script.startsWith('$(', from)) {
    const end = closing(script, ')', from + 2);
    parts.push({ kind: 'substitution', list: parse(script.slice(from + 2, end)), quoted });
    return end + 1;
  }
  if (script.startsWith('${', from)) {
    const end = closing(script, '}', from + 2);
    const inner = /^([A-Za-z_]\w*|[0-9?#@*$!])(?::-(.*))?$/s.exec(script.slice(from + 2, end));
    if (!inner) throw new ShellSyntaxError(`bad substitution: ${script.slice(from, end + 1)}`);
    const [, name = '', fallback] = inner;
    const word = fallback === undefined ? {} : { fallback: readFallback(fallback, parse) };
    parts.push({ kind: 'variable', name, ...word, quoted });
    return end + 1;
  }
  const [name] = variableName.exec(rest) ?? [];
  if (name === undefined) parts.push({ kind: 'text', text: '$', quoted });
  else parts.push({ kind: 'variable', name, quoted });
  return from + 1 + (name?.length ?? 0);
}

function readFallback(text: string, parse: (script: string) => List): Word {
  const parts: Part[] = [];
  readDoubleQuoted(`${text}"`, 0, parts, parse);
  return parts;
}

/** Returns the position of the closing character. Brackets nest, and quoted brackets do not count. */
function closing(script: string, closer: string, from: number): number {
  const opener = { ')': '(', '}': '{' }[closer];
  let depth = 0;
  for (let at = from; at < script.length; at++) {
    const character = script[at];
    if (character === closer && depth-- === 0) return at;
    if (opener === undefined) continue;
    if (character === opener) depth++;
    else if (character === '\\') at++;
    else if (character === "'" || character === '"') at = closing(script, character, at + 1);
  }
  throw new Incomplete(`unexpected end of file, looking for ${closer}`);
}
