// sh: runs a script that is an argument, a file, or the standard input line by line.
import { posix } from 'node:path';
import type { Process, Program } from '../program.js';
import { Exit, LoopControl } from '../shell/builtins.js';
import { parse } from '../shell/parser.js';
import { Shell } from '../shell/shell.js';
import { Incomplete, type List, SyntaxProblem } from '../shell/syntax.js';
import { BrokenPipe, readLine } from '../streams.js';

/** Makes the program; `find` looks up the programs that it runs. */
export function makeShell(find: (name: string) => Program | undefined): Program {
  return async (process) => {
    const shell = new Shell(process, find);
    const args = process.argv.slice(1);
    let script: string | undefined;
    while (/^[-+]./.test(args[0] ?? '')) {
      const option = args.shift() ?? '';
      if (/e/.test(option)) shell.exitOnError = true;
      if (/c/.test(option)) script = args.shift() ?? '';
    }
    try {
      if (script !== undefined) {
        shell.positional = args.slice(1);
        return await shell.run(parse(script));
      }
      const [file] = args;
      if (file === undefined) return await interact(shell, process);
      shell.positional = args.slice(1);
      return await shell.run(parse(process.world.files.read(posix.resolve(process.directory, file)).toString()));
    } catch (error) {
      if (error instanceof Exit) return error.code;
      if (error instanceof LoopControl) return shell.status;
      if (!(error instanceof SyntaxProblem)) throw error;
      await process.stderr.write(Buffer.from(`sh: ${error.message}\n`));
      return 2;
    }
  };
}

/** Reads and runs commands until the input ends; what cannot be read is said, and forgotten. */
async function interact(shell: Shell, { stdin, stdout, stderr, screen }: Process): Promise<number> {
  let script = '';
  for (;;) {
    if (screen !== undefined) await stdout.write(Buffer.from(script === '' ? '/ # ' : '> '));
    const line = await readLine(stdin);
    if (line === undefined) break;
    script += line.toString();
    const list = await understand(script, async (message) => stderr.write(Buffer.from(`sh: ${message}\n`)));
    if (list === undefined) continue;
    script = '';
    shell.status = await shell.run(list).catch((error) => {
      if (error instanceof LoopControl || error instanceof BrokenPipe) return 1;
      throw error;
    });
  }
  return shell.status;
}

/** The commands; undefined where more lines are needed, none where they are wrong. */
async function understand(script: string, complain: (message: string) => Promise<void>): Promise<List | undefined> {
  try {
    return parse(script);
  } catch (error) {
    if (error instanceof Incomplete) return undefined;
    if (!(error instanceof SyntaxProblem)) throw error;
    await complain(error.message);
    return [];
  }
}
