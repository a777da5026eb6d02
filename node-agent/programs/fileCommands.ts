// The commands that read files and streams: they stream, and buffer no more than necessary.
import { posix } from 'node:path';
import { FileError, type FileSystem, type Inode } from '../kernel/fileSystem.js';
import { type Process, type Program, ProgramError } from '../kernel/process.js';
import { type Input, readLine, writeText } from '../kernel/streams.js';

interface CommandLine {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly paths: readonly string[];
}

/** Parses options: letters in `valued` have a value, the next characters or the next argument. Throws ProgramError. */
function parseOptions({ argv }: Process, letters: string, valued = ''): CommandLine {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const paths: string[] = [];
  const left = argv.slice(1);
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    if (!/^-./.test(argument)) paths.push(argument);
    for (let at = 1; /^-./.test(argument) && at < argument.length; at++) {
      const letter = argument.charAt(at);
      if (valued.includes(letter)) {
        const value = argument.slice(at + 1) || left.shift();
        if (value === undefined) throw new ProgramError(`option -${letter} needs a value`);
        values.set(letter, value);
        break;
      }
      if (!letters.includes(letter)) throw new ProgramError(`unknown option -${letter}`);
      flags.add(letter);
    }
  }
  return { flags, values, paths };
}

const resolvePath = ({ directory }: Process, path: string): string => posix.resolve(directory, path);

/** Calls `act` for each path. Reports a FileError, continues with the next path, and then returns exit code 1. */
async function forEachPath(
  process: Process,
  paths: readonly string[],
  act: (path: string) => Promise<void> | void,
): Promise<number> {
  let code = 0;
  for (const path of paths) {
    try {
      await act(path);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await writeText(process.stderr, `${process.argv[0]}: ${error.message}\n`);
      code = 1;
    }
  }
  return code;
}

/** Reads the files one after the other. `-`, or no path, means stdin. */
const forEachInput = (
  process: Process,
  paths: readonly string[],
  act: (input: Input, path: string) => Promise<void>,
): Promise<number> =>
  forEachPath(process, paths.length === 0 ? ['-'] : paths, (path) =>
    act(path === '-' ? process.stdin : process.sandbox.files.input(resolvePath(process, path)), path),
  );

const copy = async (input: Input, { stdout }: Process): Promise<void> => {
  for await (const chunk of input) await stdout.write(chunk);
};

export const cat: Program = async (process) =>
  forEachInput(process, parseOptions(process, '').paths, (input) => copy(input, process));

type Unit = 'lines' | 'bytes';

/** Parses `-n LINES` or `-c BYTES`; the default is ten lines. */
function parseAmount({ values }: CommandLine): { readonly unit: Unit; readonly count: number; readonly text: string } {
  const text = values.get('c') ?? values.get('n') ?? '10';
  if (!/^\+?\d+$/.test(text)) throw new ProgramError(`invalid number "${text}"`);
  return { unit: values.has('c') ? 'bytes' : 'lines', count: Number(text), text };
}

/** Reads so many lines or bytes from an input, or up to its end. */
async function take(
  input: Input,
  unit: Unit,
  count: number,
  receive: (piece: Buffer) => Promise<void> | void,
): Promise<void> {
  for (let left = count; left > 0; ) {
    const piece = unit === 'lines' ? await readLine(input) : await input.read();
    if (piece === undefined) return;
    const taken = unit === 'lines' ? piece : piece.subarray(0, left);
    input.unread(piece.subarray(taken.length));
    left -= unit === 'lines' ? 1 : taken.length;
    await receive(taken);
  }
}

export const head: Program = async (process) => {
  const options = parseOptions(process, '', 'nc');
  const { unit, count } = parseAmount(options);
  return forEachInput(process, options.paths, (input) => take(input, unit, count, process.stdout.write));
};

/** The most bytes that `tail` keeps. */
const maxTail = 8_388_608;

/** `tail -n LINES`, and `-n +FIRST` or `-c +FIRST`, with which `kubectl cp --retries` resumes. */
export const tail: Program = async (process) => {
  const options = parseOptions(process, '', 'nc');
  const { unit, count, text } = parseAmount(options);
  const isFrom = text.startsWith('+');
  if (unit === 'bytes' && !isFrom) throw new ProgramError('-c without + is not supported', 2);
  return forEachInput(process, options.paths, async (input) => {
    const kept: Buffer[] = [];
    let bytes = 0;
    if (isFrom) await take(input, unit, count - 1, () => {});
    else {
      await take(input, 'lines', Number.POSITIVE_INFINITY, (line) => {
        kept.push(line);
        bytes += line.length;
        if (kept.length > count) bytes -= kept.shift()?.length ?? 0;
        if (bytes > maxTail) throw new ProgramError('too much to keep');
      });
    }
    for (const line of kept) await process.stdout.write(line);
    await copy(input, process);
  });
};

/** `wc -l` and `wc -c`: the lines or the bytes. */
export const wc: Program = async (process) => {
  const { flags, paths } = parseOptions(process, 'lc');
  if (flags.size !== 1) throw new ProgramError('give -l or -c', 2);
  return forEachInput(process, paths, async (input, path) => {
    let count = 0;
    for await (const chunk of input) {
      count += flags.has('c') ? chunk.length : chunk.reduce((lines, byte) => lines + Number(byte === 0x0a), 0);
    }
    await writeText(process.stdout, `${count}${path === '-' ? '' : ` ${path}`}\n`);
  });
};

/** `grep [-q] [-v] [-i] [-c] [-E | -F] PATTERN [FILE]…`: the lines that have, or with `-v` have not, what the pattern says. */
export const grep: Program = async (process) => {
  const { flags, paths } = parseOptions(process, 'qvicEF');
  const [pattern, ...files] = paths;
  if (pattern === undefined) throw new ProgramError('usage: grep [-qvicEF] PATTERN [FILE]…', 2);
  const matches = await matcherOf(pattern, flags);
  let found = 0;
  const code = await forEachInput(process, files, async (input, path) => {
    const before = files.length > 1 ? `${path}:` : '';
    const counted = found;
    for (let line = await readLine(input); line !== undefined; line = await readLine(input)) {
      const text = line.toString().replace(/\n$/, '');
      if (matches(text) === flags.has('v')) continue;
      found++;
      if (flags.has('q')) return;
      if (!flags.has('c')) await writeText(process.stdout, `${before}${text}\n`);
    }
    if (flags.has('c')) await writeText(process.stdout, `${before}${found - counted}\n`);
  });
  if (code !== 0) return 2;
  return found > 0 ? 0 : 1;
};

/** Returns whether a line has what a pattern says. A basic pattern takes `\|` and `\+` for what an extended one writes without `\`. */
async function matcherOf(pattern: string, flags: ReadonlySet<string>): Promise<(line: string) => boolean> {
  const isCaseless = flags.has('i');
  if (flags.has('F')) {
    const fold = (text: string) => (isCaseless ? text.toLowerCase() : text);
    return (line) => fold(line).includes(fold(pattern));
  }
  const swapped = pattern.replace(
    /\\([(){}|+?])|([(){}|+?])/g,
    (_, escaped?: string, plain = '') => escaped ?? `\\${plain}`,
  );
  const { RE2JS } = await import('re2js');
  try {
    const compiled = RE2JS.compile(flags.has('E') ? pattern : swapped, isCaseless ? RE2JS.CASE_INSENSITIVE : 0);
    return (line) => compiled.matcher(line).find();
  } catch {
    throw new ProgramError(`bad pattern '${pattern}'`, 2);
  }
}

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
