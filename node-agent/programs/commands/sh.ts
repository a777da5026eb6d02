// sh: runs a script from an argument, a file, or the lines of stdin.
import { posix } from 'node:path';
import type { Process, Program } from '../../kernel/process.js';
import { BrokenPipe, readLine } from '../../kernel/streams.js';
import { Exit, LoopControl } from '../shell/builtins.js';
import { parse } from '../shell/parser.js';
import { Shell } from '../shell/shell.js';
import { Incomplete, type List, ShellSyntaxError } from '../shell/syntax.js';

/** Makes the program. `find` looks up the programs in its scripts. */
export function makeShell(find: (name: string) => Program | undefined): Program {
  return async (process) => {
    const shell = new Shell(process, find);
    const args = process.argv.slice(1);
    let script: string | undefined;
    while (/^[-+]./.test(args[0] ?? '')) {
      const option = args.shift() ?? '';
      if (/e/.test(option)) shell.state.exitOnError = true;
      if (/c/.test(option)) script = args.shift() ?? '';
    }
    try {
      if (script !== undefined) {
        shell.state.positional = args.slice(1);
        return await shell.run(parse(script));
      }
      const [file] = args;
      if (file === undefined) return await interact(shell, process);
      shell.state.positional = args.slice(1);
      return await shell.run(parse(process.container.files.read(posix.resolve(process.directory, file)).toString()));
    } catch (error) {
      if (error instanceof Exit) return error.code;
      if (error instanceof LoopControl) return shell.state.status;
      if (!(error instanceof ShellSyntaxError)) throw error;
      await process.stderr.write(Buffer.from(`sh: ${error.message}\n`));
      return 2;
    }
  };
}

/** Reads and runs commands until the input ends. Reports a syntax error and drops its lines. */
async function interact(shell: Shell, { stdin, stdout, stderr, tty }: Process): Promise<number> {
  let script = '';
  for (;;) {
    if (tty !== undefined) await stdout.write(Buffer.from(script === '' ? '/ # ' : '> '));
    const line = await readLine(stdin);
    if (line === undefined) break;
    script += line.toString();
    let list: List;
    try {
      list = parse(script);
    } catch (error) {
      if (error instanceof Incomplete) continue;
      if (!(error instanceof ShellSyntaxError)) throw error;
      await stderr.write(Buffer.from(`sh: ${error.message}\n`));
      list = [];
    }
    script = '';
    shell.state.status = await shell.run(list).catch((error) => {
      if (error instanceof LoopControl || error instanceof BrokenPipe) return 1;
      throw error;
    });
  }
  return shell.state.status;
}
