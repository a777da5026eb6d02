// The commands that list, make, remove and test files.
import { posix } from 'node:path';
import { FileError, type FileSystem, type Inode } from '../kernel/fileSystem.js';
import { type Process, type Program, ProgramError } from '../kernel/process.js';
import { writeText } from '../kernel/streams.js';
import { forEachPath, parseOptions, resolvePath } from './commandLine.js';

/** `ls [-a] [-l] [-L] [PATH]…` */
export const ls: Program = async (process) => {
  const { flags, paths } = parseOptions(process, 'alL1');
  const { files } = process.sandbox;
  const show = (name: string, path: string) => {
    const node = flags.has('L') ? files.get(path) : files.getLink(path);
    const arrow = flags.has('l') && node.kind === 'link' ? ` -> ${node.target}` : '';
    return writeText(process.stdout, `${flags.has('l') ? `${detailsOf(node)} ` : ''}${name}${arrow}\n`);
  };
  return forEachPath(process, paths.length === 0 ? ['.'] : paths, async (path) => {
    const absolute = resolvePath(process, path);
    const isLink = flags.has('l') && !path.endsWith('/') && files.getLink(absolute).kind === 'link';
    if (isLink || files.get(absolute).kind !== 'directory') return show(path, absolute);
    if (paths.length > 1) await writeText(process.stdout, `${path}:\n`);
    for (const name of files.list(absolute)) {
      if (flags.has('a') || !name.startsWith('.')) await show(name, posix.join(absolute, name));
    }
  });
};

const letters = { directory: 'd', file: '-', device: 'c', link: 'l' } as const;

function detailsOf(node: Inode): string {
  const bits = [...'rwxrwxrwx'].map((letter, index) => (node.mode & (0o400 >> index) ? letter : '-')).join('');
  const bytes = node.kind === 'file' ? node.size : node.kind === 'link' ? node.target.length : 0;
  const time = node.modified.toISOString().slice(0, 16).replace('T', ' ');
  return `${letters[node.kind]}${bits} 1 root root ${String(bytes).padStart(9)} ${time}`;
}

/** `mkdir [-p] PATH…` */
export const mkdir: Program = async (process) => {
  const { flags, paths } = parseOptions(process, 'p');
  const { files } = process.sandbox;
  return forEachPath(process, paths, (name) => {
    const path = resolvePath(process, name);
    if (!flags.has('p')) {
      if (files.find(path) !== undefined) throw new FileError(path, 'exists');
      files.list(posix.dirname(path));
    }
    files.makeDirectory(path);
  });
};

/** `rm [-r] [-f] PATH…` */
export const rm: Program = async (process) => {
  const { flags, paths } = parseOptions(process, 'rf');
  const { files } = process.sandbox;
  return forEachPath(process, paths, (name) => {
    const path = resolvePath(process, name);
    try {
      if (!flags.has('r') && files.getLink(path).kind === 'directory') throw new FileError(path, 'directory');
      files.remove(path);
    } catch (error) {
      if (!flags.has('f') || !(error instanceof FileError) || error.code !== 'missing') throw error;
    }
  });
};

/** Makes `mv [-v] [-f] FROM… TO` or `cp [-v] [-f] [-r] FROM… TO`. */
const transfer =
  (isMove: boolean): Program =>
  async (process) => {
    const { flags, paths } = parseOptions(process, isMove ? 'vf' : 'vfrRa');
    const target = paths.at(-1);
    if (target === undefined || paths.length < 2) throw new ProgramError('usage: FROM… TO', 1);
    const { files } = process.sandbox;
    return forEachPath(process, paths.slice(0, -1), async (name) => {
      const from = resolvePath(process, name);
      const into = files.find(resolvePath(process, target))?.kind === 'directory';
      const to = into ? posix.join(target, posix.basename(from)) : target;
      const isDeep = isMove || ['r', 'R', 'a'].some((letter) => flags.has(letter));
      if (!isDeep && files.get(from).kind === 'directory') throw new FileError(name, 'directory');
      copyTree(files, from, resolvePath(process, to), isDeep);
      if (isMove) files.remove(from);
      if (flags.has('v')) await writeText(process.stdout, `'${name}' -> '${to}'\n`);
    });
  };

export const mv = transfer(true);
export const cp = transfer(false);

/** Copies a file, or a directory with all that is in it. Links are copied as such if `keepsLinks`. */
function copyTree(files: FileSystem, from: string, to: string, keepsLinks: boolean): void {
  if (from === to || to.startsWith(`${from}/`)) throw new FileError(to, 'exists');
  const inode = keepsLinks ? files.getLink(from) : files.get(from);
  if (inode.kind === 'link') files.link(inode.target, to);
  else if (inode.kind === 'file') files.write(to, Buffer.concat([...inode.chunks()]), inode.mode);
  else if (inode.kind === 'directory') {
    files.list(posix.dirname(to));
    files.makeDirectory(to).mode = inode.mode;
    for (const name of files.list(from)) copyTree(files, posix.join(from, name), posix.join(to, name), keepsLinks);
  }
}

/** `ln -s [-f] TARGET PATH` */
export const ln: Program = async (process) => {
  const { flags, paths } = parseOptions(process, 'sf');
  const [target, name] = paths;
  if (!flags.has('s') || target === undefined || name === undefined || paths.length > 2) {
    throw new ProgramError('only ln -s TARGET PATH is supported', 2);
  }
  return forEachPath(process, [name], () => {
    const { files } = process.sandbox;
    const path = resolvePath(process, name);
    if (!flags.has('f') && exists(files, path)) throw new FileError(path, 'exists');
    files.link(target, path);
  });
};

function exists(files: FileSystem, path: string): boolean {
  try {
    files.getLink(path);
    return true;
  } catch {
    return false;
  }
}

export const touch: Program = async (process) =>
  forEachPath(process, process.argv.slice(1), (name) => {
    const path = resolvePath(process, name);
    process.sandbox.files.open(path, 'append');
    process.sandbox.files.get(path).modified = new Date();
  });

/** The comparisons of numbers. */
const comparisons: Readonly<Record<string, (first: number, second: number) => boolean>> = {
  '-eq': (first, second) => first === second,
  '-ne': (first, second) => first !== second,
  '-lt': (first, second) => first < second,
  '-le': (first, second) => first <= second,
  '-gt': (first, second) => first > second,
  '-ge': (first, second) => first >= second,
};

/**
 * `test`, `[` and, as in busybox, `[[`: a text, `-n`, `-z`, `-e`, `-f`, `-d`, `-s`, `-r`, `-w`, `-x`, `-L`, `=`, `!=` and
 * comparisons of numbers; after `!` the opposite. Everybody may read and write every file.
 */
export const test: Program = async (process) => {
  const [name = '', ...args] = process.argv;
  const end = { '[': ']', '[[': ']]' }[name];
  if (end !== undefined && args.pop() !== end) throw new ProgramError(`missing ${end}`, 2);
  return isTrue(process, args) ? 0 : 1;
};

function isTrue(process: Process, args: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = args;
  if (args.length < 2) return first !== '';
  const compare = args.length === 3 && Object.hasOwn(comparisons, second) ? comparisons[second] : undefined;
  if (compare !== undefined) return compare(integerOf(first), integerOf(third));
  if (args.length === 3 && (second === '=' || second === '==')) return first === third;
  if (args.length === 3 && second === '!=') return first !== third;
  if (first === '!') return !isTrue(process, args.slice(1));
  if (args.length === 2 && first === '-n') return second !== '';
  if (args.length === 2 && first === '-z') return second === '';
  if (args.length !== 2 || !/^-[efdsrwxLh]$/.test(first))
    throw new ProgramError(`${args.join(' ')} is not supported`, 2);
  return isFile(first, process.sandbox.files, resolvePath(process, second));
}

function isFile(option: string, files: FileSystem, path: string): boolean {
  if (option === '-L' || option === '-h') return exists(files, path) && files.getLink(path).kind === 'link';
  const inode = files.find(path);
  if (inode === undefined) return false;
  if (option === '-f' || option === '-d') return inode.kind === (option === '-f' ? 'file' : 'directory');
  if (option === '-s') return inode.kind !== 'file' || inode.size > 0;
  return option !== '-x' || inode.kind === 'directory' || (inode.mode & 0o111) !== 0;
}

function integerOf(text: string): number {
  if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new ProgramError(`${text}: bad number`, 2);
  return Number(text);
}
