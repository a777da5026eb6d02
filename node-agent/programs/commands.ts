// The commands of every container.

import { posix } from 'node:path';
import { type Program, ProgramError, pause, yieldToOthers } from '../kernel/process.js';
import { writeText } from '../kernel/streams.js';
import { awk } from './awk.js';
import { cp, ln, ls, mkdir, mv, rm, test, touch } from './fileCommands.js';
import { curl, wget } from './httpClients.js';
import { dig, getent, hostname, nslookup } from './nameCommands.js';
import { nc } from './netcat.js';
import { makeShell } from './shell.js';
import { tar } from './tar.js';
import { cat, grep, head, hexdump, tail, wc } from './textCommands.js';
import { httpd } from './webServers.js';

/** `echo [-n] TEXT…` */
const echo: Program = async (process) => {
  const [, ...args] = process.argv;
  const newline = args[0] === '-n' ? '' : '\n';
  await writeText(process.stdout, (newline === '' ? args.slice(1) : args).join(' ') + newline);
  return 0;
};

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };

/** `printf FORMAT [ARGUMENT]…`, with `%s`, `%d`, `%%` and escapes. The format repeats while arguments are left. */
const printf: Program = async ({ argv, stdout }) => {
  // A character for each byte, since an octal escape is a byte.
  const [, format, ...args] = argv.map((text) => Buffer.from(text).toString('latin1'));
  if (format === undefined) throw new ProgramError('usage: printf FORMAT [ARGUMENT]…', 2);
  let text = '';
  let before: number;
  do {
    before = args.length;
    text += format.replace(/\\(?:([0-7]{1,3})|(.))|%(.?)/gs, (all, octal?: string, letter = '', directive?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      if (directive === undefined) return escapes[letter] ?? all;
      if (directive === '%') return '%';
      if (directive !== 's' && directive !== 'd') throw new ProgramError(`${all}: invalid format`);
      return args.shift() ?? (directive === 'd' ? '0' : '');
    });
  } while (args.length > 0 && args.length < before);
  await stdout.write(Buffer.from(text, 'latin1'));
  return 0;
};

/** `seq [FIRST] LAST` */
const seq: Program = async (process) => {
  const numbers = process.argv.slice(1).map((text) => {
    if (!/^-?\d+$/.test(text)) throw new ProgramError(`invalid number "${text}"`);
    return Number(text);
  });
  const [first = 1, last] = numbers.length === 1 ? [1, numbers[0]] : numbers;
  if (last === undefined || numbers.length > 2) throw new ProgramError('usage: seq [FIRST] LAST');
  let lines = '';
  for (let number = first; number <= last; number++) {
    lines += `${number}\n`;
    if (lines.length < 8192 && number < last) continue;
    await writeText(process.stdout, lines);
    await yieldToOthers(process.signal);
    lines = '';
  }
  return 0;
};

const env: Program = async (process) => {
  if (process.argv.length > 1) throw new ProgramError('arguments are not supported', 2);
  await writeText(process.stdout, [...process.environment].map(([name, value]) => `${name}=${value}\n`).join(''));
  return 0;
};

/** `printenv NAME…` */
const printenv: Program = async (process) => {
  const values = process.argv.slice(1).map((name) => process.environment.get(name));
  if (values.length === 0) return env(process);
  await writeText(process.stdout, values.flatMap((value) => (value === undefined ? [] : [`${value}\n`])).join(''));
  return values.includes(undefined) ? 1 : 0;
};

/** `id`, `id -u`, `id -g` and `id -G`. No user or group but root has a name. */
const id: Program = async ({ argv, sandbox, stdout }) => {
  const { uid, gid, groups } = sandbox.user;
  const named = (number: number) => (number === 0 ? '0(root)' : String(number));
  const forms: Readonly<Record<string, string>> = {
    '': `uid=${named(uid)} gid=${named(gid)} groups=${groups.map(named).join(',')}`,
    '-u': `${uid}`,
    '-g': `${gid}`,
    '-G': groups.join(' '),
  };
  const [, option = ''] = argv;
  const text = argv.length > 2 ? undefined : forms[option];
  if (text === undefined) throw new ProgramError('only id, id -u, id -g and id -G are supported', 2);
  await writeText(stdout, `${text}\n`);
  return 0;
};

/** `ip link`: to change a link is for who is privileged, and is not simulated. */
const ip: Program = async ({ argv, sandbox }) => {
  const [, what = '', action = ''] = argv;
  if (what === 'link' && /^(add|del|delete|set)$/.test(action) && !sandbox.user.isPrivileged) {
    throw new ProgramError('RTNETLINK answers: Operation not permitted', 2);
  }
  throw new ProgramError(`ip ${what} is not simulated`);
};

const pwd: Program = async (process) => {
  await writeText(process.stdout, `${process.directory}\n`);
  return 0;
};

const date: Program = async (process) => {
  if (process.argv.length > 1) throw new ProgramError('arguments are not supported', 2);
  const [, day, date, month, year, time] = /^(\w+), (\d+) (\w+) (\d+) (\S+)/.exec(new Date().toUTCString()) ?? [];
  await writeText(process.stdout, `${day} ${month} ${date} ${time} UTC ${year}\n`);
  return 0;
};

/** `stty size`: rows and columns. */
const stty: Program = async (process) => {
  const { argv, tty } = process;
  if (argv.length !== 2 || argv[1] !== 'size') throw new ProgramError('only stty size is supported', 2);
  if (tty === undefined) throw new ProgramError('standard input: Not a tty');
  await writeText(process.stdout, `${tty.rows} ${tty.columns}\n`);
  return 0;
};

const seconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** `sleep 0.5`, `sleep 1m 30s`, `sleep infinity` */
const sleep: Program = async ({ argv, signal }) => {
  const times = argv.slice(1).map((text) => {
    if (/^inf(inity)?$/.test(text)) return Number.POSITIVE_INFINITY;
    const [, number, unit = 's'] = /^(\d+(?:\.\d*)?|\.\d+)([smhd])?$/.exec(text) ?? [];
    if (number === undefined) throw new ProgramError(`invalid number "${text}"`);
    return Number(number) * seconds[unit as keyof typeof seconds];
  });
  if (times.length === 0) throw new ProgramError('usage: sleep NUMBER[smhd]…');
  await pause(signal, times.reduce((sum, time) => sum + time, 0) * 1000);
  return 0;
};

const succeed: Program = async () => 0;
const fail: Program = async () => 1;

const sh = makeShell(findCommand);

const commands: ReadonlyMap<string, Program> = new Map([
  ...Object.entries({
    cat,
    date,
    echo,
    env,
    grep,
    head,
    hexdump,
    hostname,
    ls,
    printenv,
    printf,
    pwd,
    seq,
    sh,
    sleep,
    stty,
    tail,
    tar,
  }),
  ...Object.entries({ awk, cp, curl, dig, getent, httpd, id, ip, ln, mkdir, mv, nc, nslookup, rm, wget }),
  ...Object.entries({ test, touch, wc, '[': test, '[[': test, true: succeed, false: fail, bash: sh, ash: sh }),
]);

const directories = new Set(['.', '/bin', '/usr/bin', '/usr/local/bin', '/sbin', '/usr/sbin']);

/** Returns the command with a name, or at a path in a directory of commands, or undefined. */
export function findCommand(name: string): Program | undefined {
  if (name.startsWith('./') || !directories.has(posix.dirname(name))) return undefined;
  return commands.get(posix.basename(name));
}
