// Runs another program in a running container, with its files, environment and network.
import { type Process, run, sigint, sigkill } from '../kernel/process.js';
import { emptyInput, type Input, type Output, pipe } from '../kernel/streams.js';
import { connectTerminal, type Tty } from '../kernel/tty.js';
import { findCommand } from '../programs/commands/index.js';
import type { Instance } from './instance.js';

export interface ExecOptions {
  readonly argv: readonly string[];
  readonly stdin: Input | undefined;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Absent if the program has no terminal. */
  readonly tty?: Tty;
}

/**
 * Runs a program and resolves with its exit code. The program ends with the container, and at the signal. Rejects with
 * Error if there is no such program.
 */
export async function exec(instance: Instance, options: ExecOptions, signal: AbortSignal): Promise<number> {
  const { argv, tty } = options;
  const program = findCommand(argv[0] ?? '');
  if (program === undefined) throw new Error(`exec: "${argv[0] ?? ''}": executable file not found in $PATH`);
  const own = new AbortController();
  const streams = tty ? withTerminal(options, () => own.abort(sigint)) : options;
  const kill = () => own.abort(sigkill);
  const outside = AbortSignal.any([signal, instance.signal]);
  if (outside.aborted) kill();
  else outside.addEventListener('abort', kill, { once: true });
  const process: Process = {
    argv,
    stdin: streams.stdin ?? emptyInput(),
    stdout: streams.stdout,
    stderr: streams.stderr,
    environment: new Map(instance.environment),
    directory: instance.directory,
    ...(tty && { tty }),
    signal: own.signal,
    container: instance.container,
  };
  try {
    return await run(program, process);
  } finally {
    outside.removeEventListener('abort', kill);
    // End the programs that this program has started.
    kill();
  }
}

function withTerminal({ stdin, stdout }: ExecOptions, interrupt: () => void) {
  const typed = pipe();
  const { keyboard, output } = connectTerminal({ screen: stdout, program: typed.output, end: typed.end, interrupt });
  const type = async (input: Input) => {
    for await (const chunk of input) await keyboard.write(chunk);
    typed.end();
  };
  if (stdin !== undefined) type(stdin).catch(() => {});
  return { stdin: stdin && typed.input, stdout: output, stderr: output };
}
