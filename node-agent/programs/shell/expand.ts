// Word expansion: variables, command substitution, arithmetic, field splitting, file names.
import { evaluate } from './arithmetic.js';
import { matchFiles } from './glob.js';
import type { ShellState } from './state.js';
import type { List, Part, Word } from './syntax.js';

/** The parts of the shell that expansions use. */
export interface Expansion {
  readonly state: ShellState;
  /** Returns the output of a command substitution without the newlines at its end. */
  outputOf(list: List): Promise<string>;
}

/** A field during its expansion. In `pattern`, quoted characters follow a backslash. */
interface Field {
  pattern: string;
  started: boolean;
}

/** Expands words to fields, the arguments of a command. */
export async function expandWords(words: readonly Word[], shell: Expansion): Promise<string[]> {
  const all: string[] = [];
  for (const word of words) {
    for (const pattern of await fieldsOf(word, shell))
      all.push(...matchFiles(shell.state.container.files, shell.state.directory, pattern));
  }
  return all;
}

/** Expands a word in an assignment or a redirection, without field splitting. */
export async function expandText(word: Word, shell: Expansion): Promise<string> {
  let text = '';
  for (const part of word) text += part.kind === 'text' ? part.text : await partValue(part, shell);
  return text;
}

async function fieldsOf(word: Word, shell: Expansion): Promise<string[]> {
  const fields: string[] = [];
  const field: Field = { pattern: '', started: false };
  const finish = () => {
    if (field.started) fields.push(field.pattern);
    field.pattern = '';
    field.started = false;
  };
  const add = (pattern: string) => {
    field.pattern += pattern;
    field.started = true;
  };
  for (const part of word) {
    if (part.kind === 'variable' && part.name === '@' && part.quoted) {
      for (const [index, value] of shell.state.positional.entries()) {
        if (index > 0) finish();
        add(protect(value));
      }
    } else if (part.kind === 'text') add(part.quoted ? protect(part.text) : part.text.replace(/\\/g, '\\\\'));
    else if (part.quoted) add(protect(await partValue(part, shell)));
    else {
      const value = await partValue(part, shell);
      for (const piece of value.split(/([ \t\n]+)/)) {
        if (/^[ \t\n]/.test(piece)) finish();
        else if (piece !== '') add(piece.replace(/\\/g, '\\\\'));
      }
    }
  }
  finish();
  return fields;
}

async function partValue(part: Exclude<Part, { kind: 'text' }>, shell: Expansion): Promise<string> {
  if (part.kind === 'substitution') return shell.outputOf(part.list);
  if (part.kind === 'arithmetic') return String(evaluate(part.text, (name) => shell.state.variable(name)));
  const value = shell.state.variable(part.name);
  return value === '' && part.fallback !== undefined ? expandText(part.fallback, shell) : value;
}

const protect = (text: string): string => text.replace(/[\\*?]/g, '\\$&');
