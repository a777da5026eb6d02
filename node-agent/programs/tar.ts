// tar: writes archives to stdout and extracts those on stdin, as `kubectl cp` needs.
import { posix } from 'node:path';
import { FileError, type FileSystem } from '../kernel/fileSystem.js';
import { type Process, type Program, ProgramError } from '../kernel/process.js';
import { type Input, type Output, writeText } from '../kernel/streams.js';

/** An entry of an archive. `pax` and `longName` describe the next entry. */
interface Entry {
  readonly kind: 'file' | 'directory' | 'link' | 'pax' | 'longName' | 'other';
  readonly name: string;
  readonly mode: number;
  readonly size: number;
  readonly modified: Date;
  /** The target of a link. */
  readonly target?: string;
}

/** The exit code of each failure. */
const failed = 2;

/** `tar c` and `tar x`, with `f -`, `C DIRECTORY` and `v`. */
export const tar: Program = async (process) => {
  const { mode, directory, isVerbose, paths } = parseArguments(process);
  try {
    if (mode === 'c') return await create(process, directory, paths);
    const reader = new ArchiveReader(process.stdin);
    let code = 0;
    for (let entry = await reader.next(); entry !== undefined; entry = await reader.next()) {
      const { name } = entry;
      if (paths.length > 0 && !paths.some((path) => name === path || name.startsWith(`${path}/`))) continue;
      if (isVerbose) await writeText(process.stdout, `${name}\n`);
      if (await extract(process.sandbox.files, directory, entry, reader)) continue;
      await writeText(process.stderr, `tar: ${name}: only files, directories and links within are supported\n`);
      code = failed;
    }
    return code;
  } catch (error) {
    if (error instanceof FileError) throw new ProgramError(error.message, failed);
    throw error;
  }
};

/** Options about owners and permissions have no effect. Throws ProgramError. */
function parseArguments({ argv, directory }: Process) {
  const args = argv.slice(1);
  let [mode, archive, target, isVerbose] = ['', '-', directory, false];
  const paths: string[] = [];
  for (let argument = args.shift(), isFirst = true; argument !== undefined; argument = args.shift(), isFirst = false) {
    if (/^--(no-same-owner|no-same-permissions|overwrite)$/.test(argument)) continue;
    if (!isFirst && !/^-./.test(argument)) paths.push(argument);
    else {
      for (const letter of argument.replace(/^-/, '')) {
        if (letter === 'c' || letter === 'x') mode = letter;
        else if (letter === 'f') archive = args.shift() ?? '-';
        else if (letter === 'C') target = posix.resolve(directory, args.shift() ?? '');
        else if (letter === 'v') isVerbose = true;
        else if (!'mpo'.includes(letter)) throw new ProgramError(`option ${letter} is not supported`, failed);
      }
    }
  }
  if (mode === '') throw new ProgramError('need -c or -x', failed);
  if (archive !== '-') throw new ProgramError('only -f - is supported, stdin or stdout', failed);
  return { mode, directory: target, isVerbose, paths };
}

async function create({ sandbox, stdout, stderr }: Process, directory: string, paths: readonly string[]) {
  if (paths.some((path) => path.startsWith('/'))) {
    await writeText(stderr, "tar: Removing leading `/' from member names\n");
  }
  let code = 0;
  for (const path of paths) {
    try {
      await add(sandbox.files, posix.resolve(directory, path), path.replace(/^\/+/, '') || '.', stdout);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await writeText(stderr, `tar: ${error.message}\n`);
      code = failed;
    }
  }
  // Two blocks of zeros end an archive.
  await stdout.write(Buffer.alloc(2 * blockSize));
  return code;
}

async function add(files: FileSystem, path: string, name: string, to: Output): Promise<void> {
  const node = files.getLink(path);
  const { kind, mode, modified } = node;
  if (kind === 'device') return;
  if (kind === 'link') {
    await to.write(encodeEntry({ name, mode, modified, size: 0, kind, target: node.target }));
    return;
  }
  if (kind === 'directory') {
    await to.write(encodeEntry({ name: `${name.replace(/(?<!\/)\/+$/, '')}/`, mode, modified, size: 0, kind }));
    for (const entry of files.list(path)) await add(files, posix.join(path, entry), posix.join(name, entry), to);
    return;
  }
  const { size } = node;
  await to.write(encodeEntry({ name, mode, modified, size, kind }));
  let left = size;
  for (const chunk of node.chunks()) {
    await to.write(chunk.subarray(0, left));
    left -= Math.min(left, chunk.length);
  }
  // The file shrank meanwhile: pad it to the size in its header.
  await to.write(Buffer.alloc(left + paddingOf(size)));
}

/** Returns false for a kind of entry that is not supported. */
async function extract(files: FileSystem, directory: string, entry: Entry, reader: ArchiveReader): Promise<boolean> {
  // For any name, this path is inside the directory.
  const path = posix.join(directory, posix.join('/', entry.name));
  if (entry.kind === 'directory') files.makeDirectory(path).mode = entry.mode;
  else if (entry.kind === 'file') {
    files.makeDirectory(posix.dirname(path));
    const output = files.open(path, 'truncate');
    for await (const chunk of reader.content()) await output.write(chunk);
    const node = files.get(path);
    if (node.kind === 'file') node.mode = entry.mode;
  } else if (entry.kind === 'link' && isBelow(directory, path, entry.target ?? '')) {
    files.makeDirectory(posix.dirname(path));
    files.link(entry.target ?? '', path);
  } else return false;
  return true;
}

/** Whether a link leads to a place in the directory, so that no entry is written elsewhere. */
const isBelow = (directory: string, path: string, target: string): boolean => {
  const place = posix.resolve(posix.dirname(path), target);
  return place === directory || place.startsWith(directory === '/' ? '/' : `${directory}/`);
};

/** The most bytes of a header that describes the next entry. */
const maxExtension = 65_536;

class ArchiveReader {
  /** The bytes of the content, and of the padding after it, that are not read yet. */
  #content = 0;
  #padding = 0;

  constructor(readonly input: Input) {}

  /** Returns the next entry, or undefined at the end. Skips what is left of the one before. Throws ProgramError. */
  async next(): Promise<Entry | undefined> {
    let replaced: Partial<Entry> = {};
    for (;;) {
      await this.#read(this.#content + this.#padding);
      const block = await this.#header();
      const entry = block && decodeHeader(block);
      if (entry === undefined) return undefined;
      this.#content = entry.size;
      this.#padding = paddingOf(entry.size);
      if (entry.kind !== 'pax' && entry.kind !== 'longName') return { ...entry, ...replaced };
      if (entry.size > maxExtension) throw new ProgramError('a header is too large', failed);
      const text = (await this.#read(this.#content)).toString();
      this.#content = 0;
      const name = entry.kind === 'pax' ? /^\d+ path=(.*)$/m.exec(text)?.[1] : text.replace(/\0+$/, '');
      if (name !== undefined) replaced = { name };
    }
  }

  async *content(): AsyncGenerator<Buffer, void, void> {
    while (this.#content > 0) {
      const chunk = await this.#take(this.#content);
      this.#content -= chunk.length;
      yield chunk;
    }
  }

  async #header(): Promise<Buffer | undefined> {
    const first = await this.input.read();
    if (first === undefined) return undefined;
    this.input.unread(first);
    return await this.#read(blockSize);
  }

  async #read(length: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for (let left = length; left > 0; left -= chunks.at(-1)?.length ?? 0) chunks.push(await this.#take(left));
    return Buffer.concat(chunks);
  }

  async #take(most: number): Promise<Buffer> {
    const chunk = await this.input.read();
    if (chunk === undefined) throw new ProgramError('unexpected end of the archive', failed);
    this.input.unread(chunk.subarray(most));
    return chunk.subarray(0, most);
  }
}

const blockSize = 512;
const paddingOf = (size: number): number => (blockSize - (size % blockSize)) % blockSize;

const kinds: Readonly<Record<string, Entry['kind']>> = {
  '0': 'file',
  '\0': 'file',
  '2': 'link',
  '5': 'directory',
  x: 'pax',
  L: 'longName',
};
const types = { file: '0', link: '2', directory: '5', pax: 'x', longName: 'L', other: '0' } as const;

/** Decodes a header of ustar. Returns undefined for a block of zeros. Throws ProgramError for a wrong checksum. */
function decodeHeader(block: Buffer): Entry | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  const text = (at: number, length: number) => {
    const end = block.indexOf(0, at);
    return block.toString('utf8', at, end < 0 ? at + length : Math.min(end, at + length));
  };
  const octal = (at: number, length: number) => Number.parseInt(text(at, length).trim() || '0', 8);
  if (octal(148, 8) !== checksum(block)) throw new ProgramError('invalid tar header checksum', failed);
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : '';
  return {
    kind: kinds[String.fromCharCode(block[156] ?? 0)] ?? 'other',
    name: posix.join(prefix, text(0, 100)),
    mode: octal(100, 8) & 0o7777,
    size: octal(124, 12),
    modified: new Date(octal(136, 12) * 1000),
    target: text(157, 100),
  };
}

/** Encodes the header of an entry, after a header of pax if its name is long. */
function encodeEntry(entry: Entry): Buffer {
  if (Buffer.byteLength(entry.name) <= 100) return encodeHeader(entry);
  const rest = ` path=${entry.name}\n`;
  const length = Buffer.byteLength(rest);
  // The length includes its own digits.
  const field = Buffer.from(`${length + String(length + String(length).length).length}${rest}`);
  const pax = encodeHeader({ ...entry, kind: 'pax', name: 'PaxHeader', size: field.length });
  return Buffer.concat([pax, field, Buffer.alloc(paddingOf(field.length)), encodeHeader(entry)]);
}

function encodeHeader({ kind, name, mode, size, modified, target = '' }: Entry): Buffer {
  const block = Buffer.alloc(blockSize);
  const octal = (value: number, at: number, digits: number) => block.write(value.toString(8).padStart(digits, '0'), at);
  block.write(name, 0, 100);
  octal(mode, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(Math.floor(modified.getTime() / 1000), 136, 11);
  block.write(types[kind], 156);
  block.write(target, 157, 100);
  block.write('ustar\x0000', 257, 'latin1');
  block.write('root', 265);
  block.write('root', 297);
  octal(checksum(block), 148, 6);
  block.write('\0 ', 154);
  return block;
}

function checksum(block: Buffer): number {
  let sum = 8 * 0x20;
  for (const [index, byte] of block.entries()) if (index < 148 || index >= 156) sum += byte;
  return sum;
}
