// One run of a container: its main program, with log, terminal and attached clients, and the programs of exec.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { firstOf } from '../../matrix/api/signals.js';
import { type Process, runProgram, type Sandbox, sigint, sigkill, sigterm } from '../kernel/process.js';
import { emptyInput, type Input, makePipe, type Output } from '../kernel/streams.js';
import { connectTerminal, Tty } from '../kernel/tty.js';
import { findCommand } from '../programs/commands.js';
import type { Entrypoint } from '../programs/images.js';
import { AttachedClient } from './attachedClient.js';
import { ContainerLog } from './log.js';

/** What all runs of a container have in common. */
export interface ContainerConfig {
  readonly entrypoint: Entrypoint;
  readonly environment: ReadonlyMap<string, string>;
  readonly directory: string;
  readonly stdin: boolean;
  /** Whether the standard input ends with that of the first attached client. */
  readonly stdinOnce: boolean;
  readonly tty: boolean;
  readonly sandbox: Omit<Sandbox, 'backdate' | 'ignoreTerm'>;
}

export interface ClientStreams {
  readonly stdin: Input | undefined;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** The exit code of a program that cannot be started. */
const notStarted = 128;

export class Container {
  readonly id = `simulated://${randomBytes(32).toString('hex')}`;
  readonly log = new ContainerLog();
  readonly startedAt = new Date();
  readonly sandbox: Sandbox;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  exitCode: number | undefined;
  finishedAt: Date | undefined;
  /** The reason why the program could not be started. */
  startError: string | undefined;
  /** Absent if the container has no terminal. */
  readonly tty: Tty | undefined;
  readonly #config: ContainerConfig;
  readonly #stop = new AbortController();
  readonly #stdin = makePipe();
  readonly #attached = new Set<AttachedClient>();
  readonly #keyboard: Output;
  readonly #stdout: Output;
  readonly #stderr: Output;
  #ignoresTerm = false;

  constructor(config: ContainerConfig) {
    this.#config = config;
    this.sandbox = {
      ...config.sandbox,
      ignoreTerm: () => {
        this.#ignoresTerm = true;
      },
      backdate: (time, line) => this.log.backdate(time, line),
    };
    this.#stdout = this.#tee('stdout');
    this.#stderr = this.#tee('stderr');
    this.#keyboard = this.#stdin.output;
    if (config.tty) {
      this.tty = new Tty();
      const { keyboard, output } = connectTerminal({
        screen: this.#stdout,
        program: this.#stdin.output,
        end: this.#stdin.end,
        interrupt: () => this.#stop.abort(sigint),
      });
      this.#keyboard = keyboard;
      this.#stdout = output;
      this.#stderr = output;
    }
    this.ended = this.#run();
  }

  /** Aborts when the main program ends. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Sends SIGTERM, which the program may ignore. */
  terminate(): void {
    if (!this.#ignoresTerm) this.#stop.abort(sigterm);
  }

  /** Sends SIGKILL. */
  kill(): void {
    this.#stop.abort(sigkill);
  }

  /**
   * Connects a client to the streams of the main program, until the program ends or the signal. Earlier output is only
   * in the log. Resolves with false if the client did not read its output.
   */
  async attach({ stdin, ...outputs }: ClientStreams, signal: AbortSignal): Promise<boolean> {
    const client = new AttachedClient(outputs);
    this.#attached.add(client);
    // Fails if the program has ended or has closed its input.
    if (stdin !== undefined && this.#config.stdin) this.#type(stdin).catch(() => {});
    const detached = firstOf(this.signal, signal, client.lost);
    if (!detached.aborted) await once(detached, 'abort');
    this.#attached.delete(client);
    if (!signal.aborted) await client.flush();
    return !client.lost.aborted;
  }

  /**
   * Runs another program and resolves with its exit code. The program ends with the container, and at the signal.
   * Rejects with Error if there is no such program.
   */
  async exec(argv: readonly string[], client: ClientStreams, tty: Tty | undefined, signal: AbortSignal) {
    const [name = ''] = argv;
    const program = this.sandbox.programOfImage(name) ?? findCommand(name);
    if (program === undefined) throw new Error(notFound(argv));
    const own = new AbortController();
    const kill = () => own.abort(sigkill);
    const outside = firstOf(signal, this.signal);
    if (outside.aborted) kill();
    else outside.addEventListener('abort', kill, { once: true });
    const streams = tty ? withTerminal(client, () => own.abort(sigint)) : client;
    try {
      return await runProgram(program, this.#process(argv, streams, tty, own.signal));
    } finally {
      outside.removeEventListener('abort', kill);
      // End the programs that this program has started.
      kill();
    }
  }

  #process(argv: readonly string[], streams: ClientStreams, tty: Tty | undefined, signal: AbortSignal): Process {
    const { environment, directory } = this.#config;
    const { stdin = emptyInput(), stdout, stderr } = streams;
    const own = { argv, environment: new Map(environment), directory, signal, sandbox: this.sandbox };
    return { ...own, stdin, stdout, stderr, ...(tty && { tty }) };
  }

  async #type(input: Input): Promise<void> {
    for await (const chunk of input) await this.#keyboard.write(chunk);
    if (this.#config.stdinOnce) this.#stdin.end();
  }

  async #run(): Promise<number> {
    const { entrypoint, stdin } = this.#config;
    const { argv, program } = entrypoint;
    const streams = { stdin: stdin ? this.#stdin.input : undefined, stdout: this.#stdout, stderr: this.#stderr };
    let code = notStarted;
    if (program === undefined) this.startError = notFound(argv);
    else code = await runProgram(program, this.#process(argv, streams, this.tty, this.signal));
    this.exitCode = code;
    this.finishedAt = new Date();
    this.#stdin.input.close();
    // End the programs that the main program has started, and free its ports.
    this.kill();
    this.log.end();
    return code;
  }

  /** Returns an output that writes to the log and to all attached clients. */
  #tee(name: 'stdout' | 'stderr'): Output {
    const log = this.log.writer();
    return {
      write: async (chunk) => {
        await log.write(chunk);
        await Promise.all([...this.#attached].map((client) => client.write(name, chunk)));
      },
    };
  }
}

const notFound = ([name = '']: readonly string[]): string => `exec: "${name}": executable file not found in $PATH`;

function withTerminal({ stdin, stdout }: ClientStreams, interrupt: () => void): ClientStreams {
  const typed = makePipe();
  const { keyboard, output } = connectTerminal({ screen: stdout, program: typed.output, end: typed.end, interrupt });
  const type = async (input: Input) => {
    for await (const chunk of input) await keyboard.write(chunk);
    typed.end();
  };
  if (stdin !== undefined) type(stdin).catch(() => {});
  return { stdin: stdin && typed.input, stdout: output, stderr: output };
}
