// Commands on files: ls, mkdir, rm, touch, test.
import { posix } from 'node:path';
import { FileError, type Mount, type Node } from '../../filesystem/nodes.js';
import { Failure, type Process, type Program } from '../program.js';
import { formatDate } from './dateFormat.js';
import { parseOptions } from './options.js';

const at = ({ directory }: Process, path: string): string => posix.resolve(directory, path);

/** Does something for each path; says what failed and goes on. */
async function forEach(process: Process, paths: readonly string[], act: (path: string) => void): Promise<number> {
  let code = 0;
  for (const path of paths) {
    try {
      act(at(process, path));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await process.stderr.write(Buffer.from(`${process.argv[0]}: ${error.message}\n`));
      code = 1;
    }
  }
  return code;
}

export const ls: Program = async (process) => {
  const { flags, rest } = parseOptions(process.argv, 'al1AdR');
  const { files } = process.world;
  const show = async (name: string, node: Exclude<Node, Mount>) => {
    await process.stdout.write(Buffer.from(`${flags.has('l') ? `${details(node)} ${name}` : name}\n`));
  };
  let code = 0;
  for (const path of rest.length === 0 ? ['.'] : rest) {
    try {
      const node = files.get(at(process, path));
      if (node.kind !== 'directory' || flags.has('d')) {
        await show(path, node);
        continue;
      }
      if (rest.length > 1) await process.stdout.write(Buffer.from(`${path}:\n`));
      for (const name of files.list(at(process, path))) {
        if (name.startsWith('.') && !flags.has('a') && !flags.has('A')) continue;
        const entry = files.look(posix.join(at(process, path), name));
        if (entry !== undefined) await show(name, entry);
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await process.stderr.write(Buffer.from(`ls: ${error.message}\n`));
      code = 1;
    }
  }
  return code;
};

const letters = { directory: 'd', file: '-', link: 'l', device: 'c' } as const;

function details(node: Exclude<Node, Mount>): string {
  const bits = [...'rwxrwxrwx'].map((letter, index) => (node.mode & (0o400 >> index) ? letter : '-')).join('');
  const size = String(node.kind === 'file' ? node.size : 0).padStart(9);
  return `${letters[node.kind]}${bits}    1 root     root     ${size} ${formatDate(node.modified, '%b %e %H:%M')}`;
}

export const mkdir: Program = async (process) => {
  const { flags, rest } = parseOptions(process.argv, 'p');
  const { files } = process.world;
  return forEach(process, rest, (path) => {
    if (!flags.has('p')) {
      if (files.look(path) !== undefined) throw new FileError(path, 'exists');
      files.list(posix.dirname(path));
    }
    files.makeDirectory(path);
  });
};

export const rm: Program = async (process) => {
  const { flags, rest } = parseOptions(process.argv, 'rfR');
  const { files } = process.world;
  return forEach(process, rest, (path) => {
    const node = files.look(path);
    if (node === undefined && flags.has('f')) return;
    const recursive = flags.has('r') || flags.has('R');
    if (node?.kind === 'directory' && !recursive) throw new FileError(path, 'directory');
    files.remove(path, recursive);
  });
};

export const touch: Program = async (process) =>
  forEach(process, process.argv.slice(1), (path) => {
    process.world.files.open(path, 'append');
    process.world.files.get(path).modified = new Date();
  });

const numeric: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '-eq': (left, right) => left === right,
  '-ne': (left, right) => left !== right,
  '-lt': (left, right) => left < right,
  '-le': (left, right) => left <= right,
  '-gt': (left, right) => left > right,
  '-ge': (left, right) => left >= right,
};

/** `test` and `[`. */
export const test: Program = async (process) => {
  const [name, ...args] = process.argv;
  if (name === '[' && args.pop() !== ']') throw new Failure('missing ]', 2);
  return holds(process, args) ? 0 : 1;
};

function holds(process: Process, args: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = args;
  if (first === '!') return !holds(process, args.slice(1));
  if (args.length <= 1) return first !== '';
  if (args.length === 2) return one(process, first, second);
  if (args.length > 3) throw new Failure('too many arguments', 2);
  if (second === '=' || second === '==') return first === third;
  if (second === '!=') return first !== third;
  const compare = Object.hasOwn(numeric, second) ? numeric[second] : undefined;
  if (compare === undefined) throw new Failure(`${second}: unknown operator`, 2);
  for (const text of [first, third]) if (!/^\s*-?\d+\s*$/.test(text)) throw new Failure(`${text}: bad number`, 2);
  return compare(Number(first), Number(third));
}

function one(process: Process, operator: string, operand: string): boolean {
  if (operator === '-n') return operand !== '';
  if (operator === '-z') return operand === '';
  if (operator === '-t') return process.screen !== undefined;
  const path = at(process, operand);
  const { files } = process.world;
  const link = files.look(path);
  if (operator === '-L' || operator === '-h') return link?.kind === 'link';
  if (!/^-[edfsrwx]$/.test(operator)) throw new Failure(`${operator}: unknown operator`, 2);
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
