// The builtin commands of the shell, which change its state.
import { posix } from 'node:path';
import { ProgramError } from '../../kernel/process.js';
import { type Input, readLine } from '../../kernel/streams.js';
import { parse } from './parser.js';
import type { ShellState } from './state.js';

/** Ends the shell. */
export class Exit extends Error {
  override readonly name = 'Exit';

  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

/** Ends a loop (`break`) or its current turn (`continue`). */
export class LoopControl extends Error {
  override readonly name = 'LoopControl';

  constructor(readonly command: 'break' | 'continue') {
    super(`${command}: only meaningful in a loop`);
  }
}

/** Runs a builtin and returns its exit status. Throws ProgramError, FileError, Exit or LoopControl. */
type Builtin = (shell: ShellState, args: readonly string[], stdin: Input) => Promise<number> | number;

/** The builtins by name. */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>(
  Object.entries<Builtin>({
    ':': () => 0,
    break: () => {
      throw new LoopControl('break');
    },
    cd: (shell, [to]) => {
      const path = posix.resolve(shell.directory, to ?? shell.variable('HOME'));
      shell.container.files.list(path);
      shell.directory = path;
      return 0;
    },
    continue: () => {
      throw new LoopControl('continue');
    },
    exit: (shell, [code]) => {
      if (code !== undefined && !/^\d+$/.test(code)) throw new Exit(2);
      throw new Exit(code === undefined ? shell.status : Number(code) & 0xff);
    },
    export: (shell, args) => {
      for (const text of args) {
        const [, name = '', value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? [];
        if (name === '') throw new ProgramError(`export: ${text}: bad variable name`, 2);
        shell.export(name, value);
      }
      return 0;
    },
    read: async (shell, args, stdin) => {
      const names = args.filter((text) => text !== '-r');
      const line = await readLine(stdin);
      const text = line?.toString().replace(/\n$/, '') ?? '';
      const fields = text.trim().split(/[ \t]+/);
      for (const [index, name] of names.entries()) {
        shell.assign(name, index === names.length - 1 ? fields.slice(index).join(' ') : (fields[index] ?? ''));
      }
      return line?.at(-1) === 0x0a ? 0 : 1;
    },
    set: (shell, args) => {
      const options = args.filter((text) => /^[-+]/.test(text) && text !== '--');
      for (const text of options) if (text.includes('e')) shell.exitOnError = text.startsWith('-');
      if (args.includes('--')) shell.positional = args.slice(args.indexOf('--') + 1);
      return 0;
    },
    shift: (shell) => {
      shell.positional = shell.positional.slice(1);
      return 0;
    },
    trap: (shell, [action = '', ...names]) => {
      const signals = names.map((text) => signalName(text));
      const runs = action !== '' && action !== '-';
      if (runs && signals.some((name) => name !== 'WINCH'))
        throw new ProgramError("trap: only trap '' SIGNAL, trap - SIGNAL and trap ACTION WINCH are there", 2);
      for (const name of signals) {
        if (name === 'WINCH') shell.onResize = runs ? parse(action) : undefined;
        else if (action === '') shell.container.ignoredSignals.add(name);
        else shell.container.ignoredSignals.delete(name);
      }
      return 0;
    },
    unset: (shell, names) => {
      for (const name of names) shell.unset(name);
      return 0;
    },
  }),
);

const signalName = (text: string): string => text.replace(/^SIG/, '').replace(/^15$/, 'TERM').replace(/^28$/, 'WINCH');
