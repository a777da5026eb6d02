// Finds the regular expressions of the code in its syntax trees, and makes texts from the structure of each that a matcher
// which backtracks reads slowly.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst, transformWithEsbuild } from 'vite';

/** A regular expression, or the file of one that is made from parts at run time. */
export interface Found {
  readonly file: string;
  /** Absent if it is made from parts. */
  readonly pattern?: { readonly source: string; readonly flags: string };
}

/** Returns the regular expressions in the files of folders, without tests and what only tests use. */
export async function regularExpressionsIn(root: string, folders: readonly string[]): Promise<Found[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          file.endsWith('.ts') && !/\.d\.ts$|\.test\.ts$|(^|\/)faults\.ts$|(^|\/)(testing|node_modules)\//.test(file),
      )
      .map((file) => join(folder, file)),
  );
  return (await Promise.all(files.map((file) => regularExpressionsOf(root, file)))).flat();
}

interface Node {
  readonly type: string;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly { readonly value?: unknown }[];
}

async function regularExpressionsOf(root: string, file: string): Promise<Found[]> {
  const text = readFileSync(join(root, file), 'utf8');
  if (!/\/[^/*\s]|RegExp/.test(text)) return [];
  const { code } = await transformWithEsbuild(text, file, { target: 'esnext' });
  const found: Found[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    else if (typeof value === 'object' && value !== null) {
      const { type, regex, callee, arguments: given = [] } = value as Node;
      if (regex !== undefined) found.push({ file, pattern: { source: regex.pattern, flags: regex.flags } });
      if (/^(?:New|Call)Expression$/.test(type) && callee?.name === 'RegExp') {
        const [source, flags] = given.map((each) => each.value);
        const isText = typeof source === 'string';
        found.push(isText ? { file, pattern: { source, flags: typeof flags === 'string' ? flags : '' } } : { file });
      }
      for (const each of Object.values(value)) visit(each);
    }
  };
  visit(parseAst(code));
  return found;
}

/** A text of a start, a part that is repeated, and an end. */
export interface Attack {
  readonly start: string;
  readonly repeated: string;
  readonly end: string;
}

/** The parts of a pattern: what is repeated, and a text that matches what comes before it. */
interface Repetition {
  readonly start: string;
  readonly body: readonly string[];
}

/** The ends of the texts: most patterns do not match one of them, and a matcher tries every way before it says so. */
const ends = ['', '!', '\n', ' x'];

/** Returns texts for a pattern: each of its repeated parts, many times, and each character that it names. */
export function attacksOn(source: string): Attack[] {
  const attacks: Attack[] = [];
  for (const { start, body } of repetitionsOf(source))
    for (const repeated of body)
      for (const end of ends) for (const from of new Set(['', start])) attacks.push({ start: from, repeated, end });
  return attacks;
}

/** Candidates for a character of a class. */
const characters = [
  'a',
  'A',
  '0',
  '1',
  '9',
  'f',
  ' ',
  '-',
  '_',
  '.',
  '/',
  '"',
  "'",
  '\\',
  '\n',
  '\t',
  'é',
  ...punctuation(),
];

function punctuation(): string[] {
  return [...'!#$%&()*+,:;<=>?@[]^`{|}~'];
}

/** Reads a pattern, and returns its repeated parts with texts that match them. */
function repetitionsOf(source: string): Repetition[] {
  const repetitions: Repetition[] = [];
  let at = 0;
  const textsOf = (atom: string): string[] => {
    const one = new RegExp(`^(?:${atom})$`, 'su');
    const loose = (text: string): boolean => {
      try {
        return one.test(text);
      } catch {
        return false;
      }
    };
    const fitting = characters.filter(loose);
    return fitting.length === 0 ? [''] : [fitting[0] as string, fitting.at(-1) as string];
  };
  /** Reads alternatives up to a closing bracket. Returns texts that match them. */
  const alternatives = (before: string): string[] => {
    const texts: string[] = [];
    let here = '';
    for (;;) {
      const next = source[at];
      if (next === undefined || next === ')') break;
      if (next === '|') {
        at += 1;
        texts.push(here);
        here = '';
        continue;
      }
      here += term(before + here);
    }
    return [...texts, here];
  };
  const term = (before: string): string => {
    const texts = atom(before);
    const quantifier = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/.exec(source.slice(at));
    if (quantifier === null) return texts[0] ?? '';
    at += quantifier[0].length;
    const most =
      quantifier[0][0] === '?'
        ? 1
        : quantifier[1] === undefined || quantifier[2] === ''
          ? Infinity
          : Number(quantifier[2] ?? quantifier[1]);
    if (most > 10) {
      const body = texts.filter((text) => text !== '');
      const mixed = body.length > 1 ? [body.join('')] : [];
      repetitions.push({ start: before, body: [...new Set([...body, ...mixed])] });
    }
    const least = Number(quantifier[1] ?? (quantifier[0][0] === '+' ? 1 : 0));
    return (texts[0] ?? '').repeat(Math.min(least, 50));
  };
  const atom = (before: string): string[] => {
    const character = source[at] as string;
    if (character === '(') {
      const opening = /^\((?:\?(?:[:=!]|<[=!]|<[^>]+>))?/.exec(source.slice(at))?.[0] as string;
      at += opening.length;
      const texts = alternatives(before);
      at += 1;
      // What a group looks ahead at is not part of the text, but is read as often.
      return /^\(\?<?[=!]/.test(opening) ? [''] : texts;
    }
    if (character === '[') {
      let end = at + 1;
      while (source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
      const set = source.slice(at, end + 1);
      at = end + 1;
      return textsOf(set);
    }
    if (character === '\\') {
      const escaped = /^\\(?:u\{[^}]+\}|u.{4}|x..|[pP]\{[^}]+\}|k<[^>]+>|c.|.)/s.exec(source.slice(at))?.[0] as string;
      at += escaped.length;
      if (/^\\[bB]$|^\\[1-9]|^\\k/.test(escaped)) return [''];
      return textsOf(escaped);
    }
    at += 1;
    if (character === '^' || character === '$') return [''];
    return character === '.' ? ['a', ' '] : [character];
  };
  while (at < source.length) {
    alternatives('');
    at += 1;
  }
  return repetitions;
}

/** The program of the process that matches: it reads patterns with their texts, and tells the most CPU time of each. */
export const matcher = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { key, source, flags, attacks, length, budget } = JSON.parse(line);
  const pattern = new RegExp(source, flags);
  let worst = { key, milliseconds: 0 };
  process.stdout.write(JSON.stringify({ begins: key }) + '\\n');
  for (const attack of attacks) {
    const text = attack.start + attack.repeated.repeat(Math.ceil(length / attack.repeated.length)) + attack.end;
    const before = process.cpuUsage().user;
    if (pattern.global) text.replace(pattern, ''); else pattern.test(text);
    pattern.lastIndex = 0;
    const milliseconds = (process.cpuUsage().user - before) / 1000;
    if (milliseconds > worst.milliseconds) worst = { key, milliseconds, attack };
    if (milliseconds > budget) break;
  }
  process.stdout.write(JSON.stringify(worst) + '\\n');
}
`;
