// awk, as far as it picks and joins fields.
import { type Program, ProgramError } from '../kernel/process.js';
import { readLine, writeText } from '../kernel/streams.js';
import { parseFlags } from './flags.js';

/** A piece of what is printed: a text, a field, the last field, or the number of fields or of the line. */
type Piece = (fields: readonly string[], line: number) => string;

/** `awk [-F SEPARATOR] '{print PIECE… [, PIECE…]}'` on stdin. A piece is `$N`, `$NF`, `NF`, `NR`, a number or a text. */
export const awk: Program = async ({ argv, stdin, stdout }) => {
  const { rest, valuesOf } = parseFlags(argv.slice(1), { valued: ['-F'] });
  const [script, ...others] = rest;
  if (script === undefined || others.length > 0) throw new ProgramError('only awk SCRIPT on stdin is supported', 2);
  const columns = columnsIn(script);
  const [separator = ' '] = valuesOf('-F');
  let number = 0;
  for (let line = await readLine(stdin); line !== undefined; line = await readLine(stdin)) {
    const text = line.toString().replace(/\n$/, '');
    const parts = separator === ' ' ? text.split(/[ \t]+/).filter((part) => part !== '') : text.split(separator);
    const fields = [text, ...(text === '' ? [] : parts)];
    number++;
    const row = columns.map((pieces) => pieces.map((piece) => piece(fields, number)).join(''));
    await writeText(stdout, `${row.join(' ')}\n`);
  }
  return 0;
};

/** Returns the columns that a script prints, each the pieces that it joins. Throws ProgramError. */
function columnsIn(script: string): readonly (readonly Piece[])[] {
  const [, expression] = /^\s*\{\s*print\b(.*)\}\s*$/s.exec(script) ?? [];
  const columns: Piece[][] = [[]];
  let left = (expression ?? '?').trim().replace(/;$/, '').trim();
  if (left === '') return [[([all = '']) => all]];
  while (left !== '') {
    const [token, field, text, word] = /^(?:\$(\d+|NF)|"((?:[^"\\]|\\.)*)"|(\d+|NF|NR|,))\s*/.exec(left) ?? [];
    if (token === undefined) throw new ProgramError(`${script} is not supported`, 2);
    left = left.slice(token.length);
    if (word === ',') columns.push([]);
    else columns.at(-1)?.push(pieceOf(field, text, word));
  }
  return columns;
}

function pieceOf(field: string | undefined, text: string | undefined, word: string | undefined): Piece {
  if (field !== undefined) return (fields) => fields[field === 'NF' ? fields.length - 1 : Number(field)] ?? '';
  if (word === 'NF') return (fields) => String(fields.length - 1);
  if (word === 'NR') return (_, line) => String(line);
  return () => word ?? (text ?? '').replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
