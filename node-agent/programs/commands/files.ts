// Commands on files: ls, mkdir, rm, touch, test.
import { posix } from 'node:path';
import { FileError, type Mount, type Node } from '../../kernel/nodes.js';
import { type Process, type Program, ProgramError } from '../../kernel/process.js';
import { forEachPath, parseOptions, resolvePath } from './arguments.js';
import { formatDate } from './dateFormat.js';

export const ls: Program = async (process) => {
  const { flags, rest } = parseOptions(process.argv, 'al1AdR');
  const { files } = process.container;
  const show = async (name: string, node: Exclude<Node, Mount>) => {
    await process.stdout.write(Buffer.from(`${flags.has('l') ? `${details(node)} ${name}` : name}\n`));
  };
  return forEachPath(process, rest.length === 0 ? ['.'] : rest, async (path) => {
    const absolute = resolvePath(process, path);
    const node = files.get(absolute);
    if (node.kind !== 'directory' || flags.has('d')) return show(path, node);
    if (rest.length > 1) await process.stdout.write(Buffer.from(`${path}:\n`));
    for (const name of files.list(absolute)) {
      if (name.startsWith('.') && !flags.has('a') && !flags.has('A')) continue;
      const entry = files.lookup(posix.join(absolute, name));
      if (entry !== undefined) await show(name, entry);
    }
  });
};

const letters = { directory: 'd', file: '-', link: 'l', device: 'c' } as const;

function details(node: Exclude<Node, Mount>): string {
  const bits = [...'rwxrwxrwx'].map((letter, index) => (node.mode & (0o400 >> index) ? letter : '-')).join('');
  const size = String(node.kind === 'file' ? node.size : 0).padStart(9);
  return `${letters[node.kind]}${bits}    1 root     root     ${size} ${formatDate(node.modified, '%b %e %H:%M')}`;
}

export const mkdir: Program = async (process) => {
  const { flags, rest } = parseOptions(process.argv, 'p');
  const { files } = process.container;
  return forEachPath(process, rest, (name) => {
    const path = resolvePath(process, name);
    if (!flags.has('p')) {
      if (files.lookup(path) !== undefined) throw new FileError(path, 'exists');
      files.list(posix.dirname(path));
    }
    files.makeDirectory(path);
  });
};

export const rm: Program = async (process) => {
  const { flags, rest } = parseOptions(process.argv, 'rfR');
  const { files } = process.container;
  return forEachPath(process, rest, (name) => {
    const path = resolvePath(process, name);
    const node = files.lookup(path);
    if (node === undefined && flags.has('f')) return;
    const recursive = flags.has('r') || flags.has('R');
    if (node?.kind === 'directory' && !recursive) throw new FileError(path, 'directory');
    files.remove(path, recursive);
  });
};

export const touch: Program = async (process) =>
  forEachPath(process, process.argv.slice(1), (name) => {
    const path = resolvePath(process, name);
    process.container.files.open(path, 'append');
    process.container.files.get(path).modified = new Date();
  });

const comparisons = new Map<string, (left: number, right: number) => boolean>(
  Object.entries<(left: number, right: number) => boolean>({
    '-eq': (left, right) => left === right,
    '-ne': (left, right) => left !== right,
    '-lt': (left, right) => left < right,
    '-le': (left, right) => left <= right,
    '-gt': (left, right) => left > right,
    '-ge': (left, right) => left >= right,
  }),
);

/** Runs `test` and `[`. */
export const test: Program = async (process) => {
  const [name, ...args] = process.argv;
  if (name === '[' && args.pop() !== ']') throw new ProgramError('missing ]', 2);
  return isTrue(process, args) ? 0 : 1;
};

function isTrue(process: Process, args: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = args;
  if (first === '!') return !isTrue(process, args.slice(1));
  if (args.length <= 1) return first !== '';
  if (args.length === 2) return isTrueOf(process, first, second);
  if (args.length > 3) throw new ProgramError('too many arguments', 2);
  if (second === '=' || second === '==') return first === third;
  if (second === '!=') return first !== third;
  const compare = comparisons.get(second);
  if (compare === undefined) throw new ProgramError(`${second}: unknown operator`, 2);
  for (const text of [first, third]) if (!/^\s*-?\d+\s*$/.test(text)) throw new ProgramError(`${text}: bad number`, 2);
  return compare(Number(first), Number(third));
}

function isTrueOf(process: Process, operator: string, operand: string): boolean {
  if (operator === '-n') return operand !== '';
  if (operator === '-z') return operand === '';
  if (operator === '-t') return process.tty !== undefined;
  const path = resolvePath(process, operand);
  const { files } = process.container;
  const link = files.lookup(path);
  if (operator === '-L' || operator === '-h') return link?.kind === 'link';
  if (!/^-[edfsrwx]$/.test(operator)) throw new ProgramError(`${operator}: unknown operator`, 2);
  try {
    const node = files.get(path);
    if (operator === '-d') return node.kind === 'directory';
    if (operator === '-f') return node.kind === 'file';
    if (operator === '-s') return node.kind === 'file' && node.size > 0;
    return true;
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}
