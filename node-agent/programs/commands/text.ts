// Commands that write text: echo, printf, seq, date, env, hostname, pwd, id, stty.
import { type Process, type Program, ProgramError, pause, yieldToOthers } from '../../kernel/process.js';
import { formatDate } from './dateFormat.js';
import { bytesOf, formatText, replaceEscapes } from './printf.js';

/** Writes text to stdout. */
const print = ({ stdout }: Process, text: string): Promise<void> => stdout.write(bytesOf(text));

export const echo: Program = async (process) => {
  const [, ...args] = process.argv;
  let [newline, escapes] = ['\n', false];
  while (/^-[neE]+$/.test(args[0] ?? '')) {
    const options = args.shift() ?? '';
    if (options.includes('n')) newline = '';
    if (/[eE]/.test(options)) escapes = options.includes('e');
  }
  const text = args.join(' ');
  await print(process, (escapes ? replaceEscapes(text) : text) + newline);
  return 0;
};

export const printf: Program = async (process) => {
  const [, format, ...args] = process.argv;
  if (format === undefined) throw new ProgramError('usage: printf FORMAT [ARGUMENT]…', 2);
  await print(process, formatText(format, args));
  return 0;
};

/** Runs `seq [FIRST [STEP]] LAST`. */
export const seq: Program = async (process) => {
  const numbers = process.argv.slice(1).map((text) => {
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw new ProgramError(`invalid number "${text}"`);
    return Number(text);
  });
  if (numbers.length < 1 || numbers.length > 3) throw new ProgramError('usage: seq [FIRST [STEP]] LAST');
  const last = numbers.at(-1) ?? 0;
  const [first = 1, step = 1] = numbers.length === 1 ? [] : numbers.length === 2 ? [numbers[0]] : numbers;
  if (step === 0) throw new ProgramError('the step must not be 0');
  let lines = '';
  for (let turn = 0; step > 0 ? first + turn * step <= last : first + turn * step >= last; turn++) {
    lines += `${Number((first + turn * step).toFixed(6))}\n`;
    if (lines.length < 8192) continue;
    await print(process, lines);
    await yieldToOthers(process.signal);
    lines = '';
  }
  if (lines !== '') await print(process, lines);
  return 0;
};

export const date: Program = async (process) => {
  const args = process.argv.slice(1).filter((text) => text !== '-u' && text !== '--utc');
  const [format = '+%a %b %e %H:%M:%S UTC %Y'] = args;
  if (format.startsWith('-I'))
    await print(process, `${formatDate(new Date(), format === '-I' ? '%F' : '%FT%T+00:00')}\n`);
  else if (format.startsWith('+')) await print(process, `${formatDate(new Date(), format.slice(1))}\n`);
  else throw new ProgramError(`invalid date "${format}"`);
  return 0;
};

/** Runs `env`, and `env NAME=VALUE…` without a program. */
export const env: Program = async (process) => {
  const assignments = process.argv.slice(1).map((text): [string, string] => {
    const at = text.indexOf('=');
    if (at < 1) throw new ProgramError(`${text}: only NAME=VALUE can be given`, 127);
    return [text.slice(0, at), text.slice(at + 1)];
  });
  const all = new Map([...process.environment, ...assignments]);
  await print(process, [...all].map(([name, value]) => `${name}=${value}\n`).join(''));
  return 0;
};

export const printenv: Program = async (process) => {
  const names = process.argv.slice(1);
  if (names.length === 0) return env(process);
  const values = names.map((name) => process.environment.get(name));
  await print(process, values.flatMap((value) => (value === undefined ? [] : [`${value}\n`])).join(''));
  return values.includes(undefined) ? 1 : 0;
};

export const hostname: Program = async (process) => {
  await print(process, `${process.container.hostname}\n`);
  return 0;
};

export const pwd: Program = async (process) => {
  await print(process, `${process.directory}\n`);
  return 0;
};

export const id: Program = async (process) => {
  await print(process, process.argv.includes('-u') ? '0\n' : 'uid=0(root) gid=0(root) groups=0(root)\n');
  return 0;
};

/** Runs `stty size`, which prints rows and columns. */
export const stty: Program = async ({ argv, tty, stdout }) => {
  if (argv.length !== 2 || argv[1] !== 'size') throw new ProgramError('only stty size is there', 2);
  if (tty === undefined) throw new ProgramError('standard input: Not a tty');
  await stdout.write(Buffer.from(`${tty.rows} ${tty.columns}\n`));
  return 0;
};

export const succeed: Program = async () => 0;
export const fail: Program = async () => 1;

const seconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Runs `sleep 0.5`, `sleep 1m 30s`, `sleep infinity`. */
export const sleep: Program = async ({ argv, signal }) => {
  const times = argv.slice(1).map((text) => {
    if (/^inf(inity)?$/.test(text)) return Number.POSITIVE_INFINITY;
    const [, number, unit = 's'] = /^(\d*\.?\d+|\d+\.)([smhd])?$/.exec(text) ?? [];
    if (number === undefined) throw new ProgramError(`invalid number "${text}"`);
    return Number(number) * seconds[unit as keyof typeof seconds];
  });
  if (times.length === 0) throw new ProgramError('usage: sleep NUMBER[smhd]…');
  await pause(signal, times.reduce((sum, time) => sum + time, 0) * 1000);
  return 0;
};
