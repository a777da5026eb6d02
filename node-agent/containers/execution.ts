// Runs a further program inside a running container: in its files, its environment, its network.
import { findCommand } from '../programs/commands/index.js';
import { interrupt, kill } from '../programs/program.js';
import { run } from '../programs/run.js';
import type { Screen } from '../programs/screen.js';
import { emptyInput, type Input, type Output, pipe } from '../programs/streams.js';
import type { Instance } from './instance.js';
import { makeTerminal } from './terminal.js';

export interface Execution {
  readonly argv: readonly string[];
  readonly stdin: Input | undefined;
  readonly stdout: Output;
  readonly stderr: Output;
  /** The screen of its terminal, where it has one. */
  readonly screen?: Screen;
}

/** The exit code; it ends with the container, and at the signal. Throws Error where there is no such program. */
export async function execute(instance: Instance, wanted: Execution, signal: AbortSignal): Promise<number> {
  const { argv, screen } = wanted;
  const program = findCommand(argv[0] ?? '');
  if (program === undefined) throw new Error(`exec: "${argv[0] ?? ''}": executable file not found in $PATH`);
  const own = new AbortController();
  const streams = screen ? withTerminal(wanted, () => own.abort(interrupt)) : wanted;
  const leave = () => own.abort(kill);
  const outside = AbortSignal.any([signal, instance.signal]);
  if (outside.aborted) leave();
  else outside.addEventListener('abort', leave, { once: true });
  try {
    return await run(program, {
      argv,
      stdin: streams.stdin ?? emptyInput(),
      stdout: streams.stdout,
      stderr: streams.stderr,
      environment: new Map(instance.environment),
      directory: instance.directory,
      ...(screen === undefined ? {} : { screen }),
      signal: own.signal,
      world: instance.world,
    });
  } finally {
    outside.removeEventListener('abort', leave);
    // what reads or writes still has nobody to do it for
    own.abort(kill);
  }
}

function withTerminal({ stdin, stdout }: Execution, interruptProgram: () => void) {
  const typed = pipe();
  const terminal = makeTerminal({
    screen: stdout,
    program: typed.output,
    end: typed.end,
    interrupt: interruptProgram,
  });
  const type = async (input: Input) => {
    for await (const chunk of input) await terminal.keyboard.write(chunk);
    typed.end();
  };
  if (stdin !== undefined) type(stdin).catch(() => {});
  return { stdin: stdin === undefined ? undefined : typed.input, stdout: terminal.output, stderr: terminal.output };
}
