// tar: creates, lists and extracts archives, as `kubectl cp` needs.
import { posix } from 'node:path';
import type { FileSystem } from '../../kernel/fileSystem.js';
import { FileError } from '../../kernel/nodes.js';
import { type Process, type Program, ProgramError } from '../../kernel/process.js';
import type { Input, Output } from '../../kernel/streams.js';
import { forEachPath } from './arguments.js';
import { compressTo, decompress, GzipError } from './gzip.js';
import { type Block, type Header, padding, readHeader, readPax, trailer, writeHeader } from './tarFormat.js';

interface Call {
  readonly mode: 'c' | 'x' | 't';
  readonly archive: string;
  readonly directory: string;
  readonly verbose: boolean;
  readonly gzip: boolean;
  readonly paths: readonly string[];
}

/** The exit code of each failure. */
const failed = 2;

export const tar: Program = async (process) => {
  try {
    return await runTar(process);
  } catch (error) {
    if (error instanceof GzipError) {
      await process.stderr.write(Buffer.from(`\ngzip: stdin: ${error.message}\n`));
      throw new ProgramError('Child returned status 1\ntar: Error is not recoverable: exiting now', failed);
    }
    if (error instanceof FileError || error instanceof ProgramError) throw new ProgramError(error.message, failed);
    throw error;
  }
};

async function runTar(process: Process): Promise<number> {
  const call = readCall(process);
  const { files } = process.container;
  const { archive } = call;
  if (call.mode === 'c') return create(process, call, archive === '-' ? process.stdout : archiveFile(files, archive));
  const input = archive === '-' ? process.stdin : files.input(archive).until(process.signal);
  const compressed = await isCompressed(input, call);
  const reader = new Reader(compressed ? decompress(input).until(process.signal) : input);
  try {
    for (let entry = await reader.next(); entry !== undefined; entry = await reader.next()) {
      const { name } = entry;
      const wanted = call.paths.length === 0 || call.paths.some((path) => name === path || name.startsWith(`${path}/`));
      if (wanted && (call.mode === 't' || call.verbose)) await process.stdout.write(Buffer.from(`${name}\n`));
      if (wanted && call.mode === 'x') await extract(files, call.directory, entry, reader);
      else await reader.skip();
    }
    // The checksum of gzip comes at its end.
    if (compressed) await reader.drain();
    return 0;
  } finally {
    if (compressed) reader.input.close();
  }
}

/** Returns an output to an archive. A failure there ends tar; one of a file that is archived does not. */
function archiveFile(files: FileSystem, path: string): Output {
  const { write } = files.open(path, 'truncate');
  return {
    write: (chunk) =>
      write(chunk).catch((error) => {
        throw error instanceof FileError ? new ProgramError(error.message) : error;
      }),
  };
}

/**
 * Reports whether an archive must be decompressed. The bytes of a file decide for themselves, as in other tars; throws
 * ProgramError for those of a pipe without `z`.
 */
async function isCompressed(input: Input, { gzip, archive }: Call): Promise<boolean> {
  if (gzip) return true;
  const first = await input.read();
  if (first === undefined) return false;
  input.unread(first);
  if (first[0] !== 0x1f || first[1] !== 0x8b) return false;
  if (archive === '-') {
    throw new ProgramError('Archive is compressed. Use -z option\ntar: Error is not recoverable: exiting now');
  }
  return true;
}

/** Parses the options that clients use. Options about owners and permissions have no effect. Throws ProgramError. */
function readCall({ argv, directory }: Process): Call {
  const [, ...args] = argv;
  let mode: Call['mode'] | undefined;
  let archive = '-';
  let to = directory;
  let verbose = false;
  let gzip = false;
  const paths: string[] = [];
  for (let first = true; args.length > 0; first = false) {
    const argument = args.shift() ?? '';
    if (argument.startsWith('--')) {
      if (/^--(gzip|gunzip|ungzip)$/.test(argument)) gzip = true;
      else if (!/^--(no-same-owner|no-same-permissions|warning=.*|overwrite)$/.test(argument)) {
        throw new ProgramError(`unknown option ${argument}`);
      }
    } else if (first || /^-./.test(argument)) {
      for (const letter of argument.replace(/^-/, '')) {
        if (letter === 'c' || letter === 'x' || letter === 't') mode = letter;
        else if (letter === 'f') archive = args.shift() ?? '-';
        else if (letter === 'C') to = posix.resolve(directory, args.shift() ?? '');
        else if (letter === 'v') verbose = true;
        else if (letter === 'z') gzip = true;
        else if (!'mpo'.includes(letter)) throw new ProgramError(`unknown option -${letter}`);
      }
    } else paths.push(argument);
  }
  if (mode === undefined) throw new ProgramError('need one of -c, -x, -t');
  const path = archive === '-' ? archive : posix.resolve(directory, archive);
  return { mode, archive: path, directory: to, verbose, gzip, paths };
}

async function create(process: Process, { paths, directory, gzip }: Call, to: Output): Promise<number> {
  if (paths.some((path) => path.startsWith('/'))) {
    await process.stderr.write(Buffer.from("tar: Removing leading `/' from member names\n"));
  }
  const compressed = gzip ? compressTo(to) : undefined;
  const output = compressed?.output ?? to;
  try {
    const code = await forEachPath(process, paths, (path) =>
      add(process.container.files, posix.resolve(directory, path), path.replace(/^\/+/, '') || '.', output),
    );
    await output.write(trailer);
    await compressed?.end();
    return code === 0 ? 0 : failed;
  } finally {
    compressed?.close();
  }
}

async function add(files: FileSystem, path: string, name: string, to: Output): Promise<void> {
  const node = files.lookup(path);
  if (node === undefined) throw new FileError(path, 'missing');
  if (node.kind === 'device') return;
  const { mode, modified } = node;
  const size = node.kind === 'file' ? node.size : 0;
  const target = node.kind === 'link' ? node.target : '';
  const shown = node.kind === 'directory' ? `${name.replace(/\/+$/, '')}/` : name;
  await to.write(writeHeader({ name: shown, mode, modified, size, target, kind: node.kind }));
  if (node.kind === 'directory') {
    for (const entry of files.list(path)) await add(files, posix.join(path, entry), posix.join(name, entry), to);
  } else if (node.kind === 'file') {
    let left = size;
    for (const chunk of node.chunks()) {
      await to.write(chunk.subarray(0, left));
      left -= Math.min(left, chunk.length);
    }
    // The file shrank meanwhile: pad it to the size in its header.
    await to.write(Buffer.alloc(left + padding(size)));
  }
}

async function extract(files: FileSystem, directory: string, header: Header, reader: Reader): Promise<void> {
  // For any name, this path is inside the directory.
  const path = posix.join(directory, posix.join('/', header.name));
  if (header.kind === 'directory') files.makeDirectory(path).mode = header.mode;
  else if (header.kind === 'link') {
    if (files.lookup(path) !== undefined) files.remove(path);
    files.makeDirectory(posix.dirname(path));
    files.symlink(path, header.target);
  } else if (header.kind === 'file') {
    files.makeDirectory(posix.dirname(path));
    const output = files.open(path, 'truncate');
    for await (const chunk of reader.content()) await output.write(chunk);
    const node = files.get(path);
    if (node.kind === 'file') node.mode = header.mode;
  }
  await reader.skip();
}

/** The most bytes of an extension header. */
const maxExtension = 65_536;

/** Reads an archive, one entry at a time. */
class Reader {
  #left = 0;
  #padding = 0;

  constructor(readonly input: Input) {}

  /** Returns the next entry, or undefined at the end of the archive. The previous entry must be read or skipped. */
  async next(): Promise<Header | undefined> {
    let fields: { name?: string; target?: string; size?: number } = {};
    for (;;) {
      const header = await this.#header();
      if (header === undefined) return undefined;
      if (header.extension === undefined) {
        const entry = { ...header, ...fields };
        this.#expect(entry.size);
        return entry;
      }
      this.#expect(header.size);
      if (header.size > maxExtension) throw new ProgramError('a header is too large');
      const parts: Buffer[] = [];
      for await (const chunk of this.content()) parts.push(chunk);
      await this.skip();
      const content = Buffer.concat(parts);
      const value = content.toString().replace(/\0+$/, '');
      fields =
        header.extension === 'pax' ? { ...fields, ...readPax(content) } : { ...fields, [header.extension]: value };
    }
  }

  /** Yields the content of the entry. */
  async *content(): AsyncGenerator<Buffer, void, void> {
    while (this.#left > 0) {
      const chunk = await this.#take(this.#left);
      this.#left -= chunk.length;
      yield chunk;
    }
  }

  /** Skips the rest of the entry. */
  async skip(): Promise<void> {
    for (this.#left += this.#padding, this.#padding = 0; this.#left > 0; ) {
      this.#left -= (await this.#take(this.#left)).length;
    }
  }

  /** Reads the input to its end. */
  async drain(): Promise<void> {
    while ((await this.input.read()) !== undefined);
  }

  #expect(size: number): void {
    this.#left = size;
    this.#padding = padding(size);
  }

  async #header(): Promise<Block | undefined> {
    const first = await this.input.read();
    if (first === undefined) return undefined;
    this.input.unread(first);
    const parts: Buffer[] = [];
    for (let missing = 512; missing > 0; missing -= parts.at(-1)?.length ?? 0) parts.push(await this.#take(missing));
    return readHeader(Buffer.concat(parts));
  }

  async #take(most: number): Promise<Buffer> {
    const chunk = await this.input.read();
    if (chunk === undefined) throw new ProgramError('unexpected end of the archive');
    this.input.unread(chunk.subarray(most));
    return chunk.subarray(0, most);
  }
}
