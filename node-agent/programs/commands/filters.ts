// Commands that read streams: cat, head, tail, wc. They buffer no more than necessary.
import { type Process, type Program, ProgramError, pause } from '../../kernel/process.js';
import { type Input, readLine } from '../../kernel/streams.js';
import { forEachPath, type Options, parseOptions, resolvePath } from './arguments.js';

/** Reads the files one after the other. `-`, or no path, means stdin. */
const eachInput = (
  process: Process,
  paths: readonly string[],
  act: (input: Input, path: string) => Promise<void>,
): Promise<number> =>
  forEachPath(process, paths.length === 0 ? ['-'] : paths, (path) =>
    act(path === '-' ? process.stdin : fileInput(process, path), path),
  );

const fileInput = (process: Process, path: string): Input =>
  process.container.files.input(resolvePath(process, path)).until(process.signal);

export const cat: Program = async (process) =>
  eachInput(process, parseOptions(process.argv, 'u').rest, async (input) => {
    for await (const chunk of input) await process.stdout.write(chunk);
  });

interface Amount {
  readonly unit: 'lines' | 'bytes';
  readonly count: number;
  /** `+N`: starts at the Nth. */
  readonly from: boolean;
}

/** Returns the amount in `-n` or `-c`. The default is ten lines. */
function amountOf({ values }: Options): Amount {
  const text = values.get('c') ?? values.get('n') ?? '10';
  if (!/^[+-]?\d+$/.test(text)) throw new ProgramError(`invalid number "${text}"`);
  const count = Math.abs(Number(text));
  return { unit: values.has('c') ? 'bytes' : 'lines', count, from: text.startsWith('+') };
}

/** Converts the old form `-5` to `-n 5`. */
const modern = (argv: readonly string[]): string[] =>
  argv.flatMap((text, index) => (index > 0 && /^-\d+$/.test(text) ? ['-n', text.slice(1)] : [text]));

export const head: Program = async (process) => {
  const options = parseOptions(modern(process.argv), 'q', 'nc');
  const { unit, count } = amountOf(options);
  return eachInput(process, options.rest, async (input) => {
    let left = count;
    while (left > 0) {
      const piece = unit === 'lines' ? await readLine(input) : await input.read();
      if (piece === undefined) return;
      await process.stdout.write(unit === 'lines' ? piece : piece.subarray(0, left));
      if (unit === 'bytes') input.unread(piece.subarray(left));
      left -= unit === 'lines' ? 1 : piece.length;
    }
  });
};

export const tail: Program = async (process) => {
  const options = parseOptions(modern(process.argv), 'fFq', 'nc');
  const amount = amountOf(options);
  const code = await eachInput(process, options.rest, (input) =>
    amount.from ? skip(process, input, amount) : lastOf(process, input, amount),
  );
  const [path] = options.rest;
  if (path !== undefined && (options.flags.has('f') || options.flags.has('F'))) await follow(process, path);
  return code;
};

async function skip(process: Process, input: Input, { unit, count }: Amount): Promise<void> {
  let left = Math.max(count - 1, 0);
  while (left > 0) {
    const piece = unit === 'lines' ? await readLine(input) : await input.read();
    if (piece === undefined) return;
    if (unit === 'bytes') input.unread(piece.subarray(left));
    left -= unit === 'lines' ? 1 : piece.length;
  }
  for await (const chunk of input) await process.stdout.write(chunk);
}

/** The most bytes that `tail` buffers. */
const maxKept = 8_388_608;

async function lastOf(process: Process, input: Input, { unit, count }: Amount): Promise<void> {
  let kept: Buffer[] = [];
  let bytes = 0;
  const next = () => (unit === 'lines' ? readLine(input) : input.read());
  for (let piece = await next(); piece !== undefined; piece = await next()) {
    kept.push(piece);
    bytes += piece.length;
    if (unit === 'lines') for (; kept.length > count; kept.shift()) bytes -= kept[0]?.length ?? 0;
    else if (bytes > count) {
      const all = Buffer.concat(kept);
      kept = [Buffer.from(all.subarray(all.length - count))];
      bytes = count;
    }
    if (bytes > maxKept) throw new ProgramError('too much to keep');
  }
  for (const piece of kept) await process.stdout.write(piece);
}

/** Writes the bytes that are appended to a file, until a signal. */
async function follow(process: Process, path: string): Promise<void> {
  const node = process.container.files.get(resolvePath(process, path));
  if (node.kind !== 'file') return pause(process.signal);
  for (let offset = node.size; ; ) {
    await node.changed.wait(process.signal);
    process.signal.throwIfAborted();
    if (node.size < offset) offset = 0;
    for (const chunk of node.chunks(offset)) {
      offset += chunk.length;
      await process.stdout.write(chunk);
    }
  }
}

export const wc: Program = async (process) => {
  const { flags, rest } = parseOptions(process.argv, 'lwc');
  const shown = flags.size === 0 ? ['l', 'w', 'c'] : ['l', 'w', 'c'].filter((letter) => flags.has(letter));
  return eachInput(process, rest, async (input, path) => {
    const counts: Record<string, number> = { l: 0, w: 0, c: 0 };
    let inWord = false;
    for await (const chunk of input) {
      counts.c = (counts.c ?? 0) + chunk.length;
      for (const byte of chunk) {
        if (byte === 0x0a) counts.l = (counts.l ?? 0) + 1;
        const space = byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
        if (!space && !inWord) counts.w = (counts.w ?? 0) + 1;
        inWord = !space;
      }
    }
    const numbers = shown.map((letter) => String(counts[letter]));
    await process.stdout.write(Buffer.from(`${[...numbers, ...(path === '-' ? [] : [path])].join(' ')}\n`));
  });
};
