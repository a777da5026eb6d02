// One run of a container's main program, with its log, its terminal and its attached clients.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type Container, run, sigint, sigkill, sigterm } from '../kernel/process.js';
import { emptyInput, type Input, type Output, pipe } from '../kernel/streams.js';
import { connectTerminal, Tty } from '../kernel/tty.js';
import type { Entrypoint } from '../programs/images/index.js';
import { AttachedClient } from './attachedClient.js';
import { ContainerLog } from './log.js';

/** The settings of all instances of a container. */
export interface InstanceSettings {
  readonly entrypoint: Entrypoint;
  readonly environment: ReadonlyMap<string, string>;
  readonly directory: string;
  readonly stdin: boolean;
  /** Whether the standard input ends with that of the first attached client. */
  readonly stdinOnce: boolean;
  readonly tty: boolean;
  /** The part of the container without the log and the ignored signals, which belong to the instance. */
  readonly container: Omit<Container, 'backdate' | 'ignoredSignals'>;
}

/** The streams of an attached client. */
export interface Attachment {
  readonly stdin: Input | undefined;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** The exit code of a program that cannot be started. */
const notStarted = 128;

export class Instance {
  readonly id = `simulated://${randomBytes(32).toString('hex')}`;
  readonly log = new ContainerLog();
  readonly startedAt = new Date();
  readonly container: Container;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  exitCode: number | undefined;
  finishedAt: Date | undefined;
  /** The reason why the program could not be started. */
  startError: string | undefined;
  /** Absent if the instance has no terminal. */
  readonly tty: Tty | undefined;
  readonly #settings: InstanceSettings;
  readonly #stop = new AbortController();
  readonly #stdin = pipe();
  readonly #attached = new Set<AttachedClient>();
  readonly #keyboard: Output;
  readonly #stdout: Output;
  readonly #stderr: Output;

  constructor(settings: InstanceSettings) {
    this.#settings = settings;
    this.container = {
      ...settings.container,
      ignoredSignals: new Set(),
      backdate: (time, line) => this.log.backdate(time, line),
    };
    this.#stdout = this.#tee('stdout');
    this.#stderr = this.#tee('stderr');
    this.#keyboard = this.#stdin.output;
    this.tty = settings.tty ? new Tty() : undefined;
    if (settings.tty) {
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

  get environment(): ReadonlyMap<string, string> {
    return this.#settings.environment;
  }

  get directory(): string {
    return this.#settings.directory;
  }

  /** Aborts when the program ends. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Sends SIGTERM, which the program may ignore. */
  terminate(): void {
    if (!this.container.ignoredSignals.has('TERM')) this.#stop.abort(sigterm);
  }

  /** Sends SIGKILL. */
  kill(): void {
    this.#stop.abort(sigkill);
  }

  /**
   * Connects a client to the streams of the main program, until the program ends or the signal. Earlier output is only
   * in the log. Resolves with false if the client did not read its output.
   */
  async attach({ stdin, ...outputs }: Attachment, signal: AbortSignal): Promise<boolean> {
    const client = new AttachedClient(outputs);
    this.#attached.add(client);
    // Fails if the program has ended or has closed its input.
    if (stdin !== undefined && this.#settings.stdin) this.#type(stdin).catch(() => {});
    const detached = AbortSignal.any([this.signal, signal, client.lost]);
    if (!detached.aborted) await once(detached, 'abort');
    this.#attached.delete(client);
    if (!signal.aborted) await client.flush();
    return !client.lost.aborted;
  }

  async #type(input: Input): Promise<void> {
    for await (const chunk of input) await this.#keyboard.write(chunk);
    if (this.#settings.stdinOnce) this.#stdin.end();
  }

  async #run(): Promise<number> {
    const { entrypoint, environment, directory, stdin } = this.#settings;
    const { argv, program } = entrypoint;
    let code = notStarted;
    if (program === undefined) this.startError = `exec: "${argv[0]}": executable file not found in $PATH`;
    else {
      code = await run(program, {
        argv,
        environment: new Map(environment),
        directory,
        stdin: stdin ? this.#stdin.input : emptyInput(),
        stdout: this.#stdout,
        stderr: this.#stderr,
        ...(this.tty && { tty: this.tty }),
        signal: this.signal,
        container: this.container,
      });
    }
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
