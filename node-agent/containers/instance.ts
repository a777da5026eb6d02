// One run of a container's main program, with its log, its terminal and those who are attached to it.
import { randomBytes } from 'node:crypto';
import type { Start } from '../programs/images/index.js';
import { interrupt, kill, type Process, terminate, type World } from '../programs/program.js';
import { run } from '../programs/run.js';
import { Screen } from '../programs/screen.js';
import { emptyInput, type Input, type Output, pipe } from '../programs/streams.js';
import { untilAborted } from '../untilAborted.js';
import { Attached } from './attached.js';
import { ContainerLog } from './log.js';
import { makeTerminal } from './terminal.js';

/** What a container gives each of its instances. */
export interface InstanceSettings {
  readonly start: Start;
  readonly environment: ReadonlyMap<string, string>;
  readonly directory: string;
  readonly stdin: boolean;
  /** The input ends with the first who was attached to it. */
  readonly stdinOnce: boolean;
  readonly tty: boolean;
  /** The world, but for the log, which is the instance's own. */
  readonly world: Omit<World, 'backdate' | 'ignoredSignals'>;
}

/** The streams of somebody who attaches; without an input nothing is typed. */
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
  readonly world: World;
  /** The exit code, once there is one. */
  readonly ended: Promise<number>;
  exitCode: number | undefined;
  finishedAt: Date | undefined;
  /** Why it could not be started. */
  problem: string | undefined;
  /** Of its terminal; absent where it has none. */
  readonly screen: Screen | undefined;
  readonly #settings: InstanceSettings;
  readonly #stop = new AbortController();
  readonly #stdin = pipe();
  readonly #attached = new Set<Attached>();
  readonly #keyboard: Output;
  readonly #stdout: Output;
  readonly #stderr: Output;

  constructor(settings: InstanceSettings) {
    this.#settings = settings;
    this.world = {
      ...settings.world,
      ignoredSignals: new Set(),
      backdate: (time, line) => this.log.backdate(time, line),
    };
    this.#stdout = this.#tee('stdout');
    this.#stderr = this.#tee('stderr');
    this.#keyboard = this.#stdin.output;
    this.screen = settings.tty ? new Screen() : undefined;
    if (settings.tty) {
      const terminal = makeTerminal({
        screen: this.#stdout,
        program: this.#stdin.output,
        end: this.#stdin.end,
        interrupt: () => this.#stop.abort(interrupt),
      });
      this.#keyboard = terminal.keyboard;
      this.#stdout = terminal.output;
      this.#stderr = terminal.output;
    }
    this.ended = this.#run();
  }

  get environment(): ReadonlyMap<string, string> {
    return this.#settings.environment;
  }

  get directory(): string {
    return this.#settings.directory;
  }

  /** Aborted when it ends. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Asks it to end (SIGTERM), which it may ignore. */
  terminate(): void {
    if (!this.world.ignoredSignals.has('TERM')) this.#stop.abort(terminate);
  }

  /** Ends it (SIGKILL). */
  kill(): void {
    this.#stop.abort(kill);
  }

  /**
   * Joins the streams of the main program until it ends, or the signal. What was said before is in the log only.
   * False where the client did not read what it was told.
   */
  async attach({ stdin, ...outputs }: Attachment, signal: AbortSignal): Promise<boolean> {
    const mine = new Attached(outputs);
    this.#attached.add(mine);
    // a program that has ended, or does not listen, ends the typing
    if (stdin !== undefined && this.#settings.stdin) this.#type(stdin).catch(() => {});
    await untilAborted(AbortSignal.any([this.signal, signal, mine.lost]));
    this.#attached.delete(mine);
    if (!signal.aborted) await mine.flush();
    return !mine.lost.aborted;
  }

  async #type(input: Input): Promise<void> {
    for await (const chunk of input) await this.#keyboard.write(chunk);
    if (this.#settings.stdinOnce) this.#stdin.end();
  }

  async #run(): Promise<number> {
    const { start, environment, directory, stdin } = this.#settings;
    const { argv, program } = start;
    let code = notStarted;
    if (program === undefined) this.problem = `exec: "${argv[0]}": executable file not found in $PATH`;
    else {
      const process: Process = {
        argv,
        environment: new Map(environment),
        directory,
        stdin: stdin ? this.#stdin.input : emptyInput(),
        stdout: this.#stdout,
        stderr: this.#stderr,
        ...(this.screen === undefined ? {} : { screen: this.screen }),
        signal: this.#stop.signal,
        world: this.world,
      };
      code = await run(program, process);
    }
    this.exitCode = code;
    this.finishedAt = new Date();
    this.#stdin.input.close();
    // ends what was started beside it, and frees its ports
    this.#stop.abort(kill);
    this.log.end();
    return code;
  }

  #tee(name: 'stdout' | 'stderr'): Output {
    const log = this.log.writer();
    return {
      write: async (chunk) => {
        await log.write(chunk);
        // who has gone away misses the rest
        await Promise.all([...this.#attached].map((attached) => attached.write(name, chunk)));
      },
    };
  }
}
