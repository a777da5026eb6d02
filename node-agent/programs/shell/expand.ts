// Turns words into text: variables, output of commands, sums, fields, file names.
import type { FileSystem } from '../../filesystem/fileSystem.js';
import { calculate } from './arithmetic.js';
import { matchFiles } from './glob.js';
import type { List, Part, Word } from './syntax.js';

/** What expansion needs of a shell. */
export interface Scope {
  readonly files: FileSystem;
  readonly directory: string;
  readonly positional: readonly string[];
  /** Empty where there is none. */
  variable(name: string): string;
  /** What a script writes to its standard output, without the newlines at its end. */
  outputOf(list: List): Promise<string>;
}

/** A field that grows. `pattern` has the quoted characters behind backslashes. */
interface Field {
  pattern: string;
  started: boolean;
}

/** The arguments that words stand for. */
export async function expandAll(words: readonly Word[], scope: Scope): Promise<string[]> {
  const all: string[] = [];
  for (const word of words) {
    for (const pattern of await fieldsOf(word, scope)) all.push(...matchFiles(scope.files, scope.directory, pattern));
  }
  return all;
}

/** The text that a word stands for where it is not split: in assignments and redirects. */
export async function expandText(word: Word, scope: Scope): Promise<string> {
  let text = '';
  for (const part of word) text += part.kind === 'text' ? part.text : await partValue(part, scope);
  return text;
}

async function fieldsOf(word: Word, scope: Scope): Promise<string[]> {
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
      for (const [index, value] of scope.positional.entries()) {
        if (index > 0) finish();
        add(protect(value));
      }
    } else if (part.kind === 'text') add(part.quoted ? protect(part.text) : part.text.replace(/\\/g, '\\\\'));
    else if (part.quoted) add(protect(await partValue(part, scope)));
    else {
      const value = await partValue(part, scope);
      for (const piece of value.split(/([ \t\n]+)/)) {
        if (/^[ \t\n]/.test(piece)) finish();
        else if (piece !== '') add(piece.replace(/\\/g, '\\\\'));
      }
    }
  }
  finish();
  return fields;
}

async function partValue(part: Exclude<Part, { kind: 'text' }>, scope: Scope): Promise<string> {
  if (part.kind === 'output') return scope.outputOf(part.list);
  if (part.kind === 'sum') return String(calculate(part.text, (name) => scope.variable(name)));
  const value = scope.variable(part.name);
  return value === '' && part.otherwise !== undefined ? expandText(part.otherwise, scope) : value;
}

const protect = (text: string): string => text.replace(/[\\*?]/g, '\\$&');
