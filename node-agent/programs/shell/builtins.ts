// What a shell does itself, because it changes the shell.
import { posix } from 'node:path';
import { Failure } from '../program.js';
import { type Input, type Output, readLine } from '../streams.js';
import { parse } from './parser.js';
import type { Shell } from './shell.js';

/** Ends the shell. */
export class Exit extends Error {
  override readonly name = 'Exit';

  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

/** Leaves a loop, or its present turn. */
export class LoopControl extends Error {
  override readonly name = 'LoopControl';

  constructor(readonly what: 'break' | 'continue') {
    super(`${what}: only meaningful in a loop`);
  }
}

interface Streams {
  readonly stdin: Input;
  readonly stdout: Output;
}

type Builtin = (shell: Shell, args: readonly string[], streams: Streams) => Promise<number> | number;

const done = () => 0;

const signalName = (text: string): string => text.replace(/^SIG/, '').replace(/^15$/, 'TERM').replace(/^28$/, 'WINCH');

/** By name. They throw Failure, FileError, Exit and LoopControl. */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [':', done],
  [
    'cd',
    (shell, [to]) => {
      const path = posix.resolve(shell.directory, to ?? shell.variable('HOME'));
      shell.world.files.list(path);
      shell.directory = path;
      return 0;
    },
  ],
  [
    'exit',
    (shell, [code]) => {
      if (code !== undefined && !/^\d+$/.test(code)) throw new Exit(2);
      throw new Exit(code === undefined ? shell.status : Number(code) & 0xff);
    },
  ],
  [
    'export',
    (shell, args) => {
      for (const text of args) {
        const [, name = '', value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? [];
        if (name === '') throw new Failure(`export: ${text}: bad variable name`, 2);
        shell.export(name, value);
      }
      return 0;
    },
  ],
  [
    'unset',
    (shell, names) => {
      for (const name of names) shell.unset(name);
      return 0;
    },
  ],
  [
    'set',
    (shell, args) => {
      const options = args.filter((text) => /^[-+]/.test(text) && text !== '--');
      for (const text of options) if (text.includes('e')) shell.exitOnError = text.startsWith('-');
      if (args.includes('--')) shell.positional = args.slice(args.indexOf('--') + 1);
      return 0;
    },
  ],
  [
    'shift',
    (shell) => {
      shell.positional = shell.positional.slice(1);
      return 0;
    },
  ],
  [
    'read',
    async (shell, args, { stdin }) => {
      const names = args.filter((text) => text !== '-r');
      const line = await readLine(stdin);
      const text = line?.toString().replace(/\n$/, '') ?? '';
      const fields = text.trim().split(/[ \t]+/);
      for (const [index, name] of names.entries()) {
        shell.assign(name, index === names.length - 1 ? fields.slice(index).join(' ') : (fields[index] ?? ''));
      }
      return line?.at(-1) === 0x0a ? 0 : 1;
    },
  ],
  [
    'trap',
    (shell, [action = '', ...names]) => {
      const signals = names.map((text) => signalName(text));
      const runs = action !== '' && action !== '-';
      if (runs && signals.some((name) => name !== 'WINCH'))
        throw new Failure("trap: only trap '' SIGNAL, trap - SIGNAL and trap ACTION WINCH are there", 2);
      for (const name of signals) {
        if (name === 'WINCH') shell.onResize = runs ? parse(action) : undefined;
        else if (action === '') shell.world.ignoredSignals.add(name);
        else shell.world.ignoredSignals.delete(name);
      }
      return 0;
    },
  ],
  [
    'break',
    () => {
      throw new LoopControl('break');
    },
  ],
  [
    'continue',
    () => {
      throw new LoopControl('continue');
    },
  ],
]);
