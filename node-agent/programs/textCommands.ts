// The commands that read streams: they stream, and buffer no more than necessary.
import { type Process, type Program, ProgramError, pause } from '../kernel/process.js';
import { Input, readLine, writeText } from '../kernel/streams.js';
import { type CommandLine, forEachInput, parseOptions, resolvePath } from './commandLine.js';

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

/** `tail [-f] -n LINES`, and `-n +FIRST` or `-c +FIRST`, with which `kubectl cp --retries` resumes. */
export const tail: Program = async (process) => {
  const options = parseOptions(process, 'f', 'nc');
  const { unit, count, text } = parseAmount(options);
  const isFrom = text.startsWith('+');
  if (unit === 'bytes' && !isFrom) throw new ProgramError('-c without + is not supported', 2);
  const followed: Promise<void>[] = [];
  const code = await forEachInput(process, options.paths, async (all, path) => {
    let read = 0;
    const input = new Input({
      read: async () => {
        const chunk = await all.read();
        read += chunk?.length ?? 0;
        return chunk;
      },
      close: () => all.close(),
    });
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
    if (options.flags.has('f') && path !== '-') followed.push(follow(path, read, process));
  });
  await Promise.all(followed);
  return code;
};

/** In milliseconds: the time between two looks at a file that `tail` follows, as in busybox. */
const followInterval = 1000;

/** Copies what is written to a file after its first bytes, until the signal. A device never has more. */
async function follow(path: string, first: number, process: Process): Promise<void> {
  const inode = process.sandbox.files.get(resolvePath(process, path));
  for (let done = first; ; ) {
    await pause(process.signal, followInterval);
    if (inode.kind !== 'file') continue;
    let known = inode.size < done ? 0 : done;
    done = inode.size;
    for (const chunk of inode.chunks()) {
      if (chunk.length > known) await process.stdout.write(chunk.subarray(known));
      known = Math.max(0, known - chunk.length);
    }
  }
}

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

/** The bytes of a line of `hexdump`. */
const dumpWidth = 16;

/** `hexdump -C [FILE]…`: the place, the bytes and the characters, sixteen a line. A line that repeats the last one is `*`. */
export const hexdump: Program = async (process) => {
  const { flags, paths } = parseOptions(process, 'C');
  if (!flags.has('C')) throw new ProgramError('only hexdump -C is supported', 2);
  let held = Buffer.alloc(0);
  let place = 0;
  let last = '';
  let isRepeated = false;
  const write = async (bytes: Buffer) => {
    const pairs = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
    const halves = [pairs.slice(0, 8), pairs.slice(8)].map((half) => half.join(' ').padEnd(23));
    const shown = bytes.toString('latin1').replace(/[^\x20-\x7e]/g, '.');
    const line = `${halves.join('  ')}  |${shown}|\n`;
    if (line !== last) await writeText(process.stdout, `${placeOf(place)}  ${line}`);
    else if (!isRepeated) await writeText(process.stdout, '*\n');
    isRepeated = line === last;
    last = line;
    place += bytes.length;
  };
  const code = await forEachInput(process, paths, async (input) => {
    for await (const chunk of input) {
      held = Buffer.concat([held, chunk]);
      for (; held.length >= dumpWidth; held = held.subarray(dumpWidth)) await write(held.subarray(0, dumpWidth));
    }
  });
  if (held.length > 0) await write(held);
  if (place > 0) await writeText(process.stdout, `${placeOf(place)}\n`);
  return code;
};

const placeOf = (place: number): string => place.toString(16).padStart(8, '0');

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
