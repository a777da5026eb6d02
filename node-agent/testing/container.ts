// A container's world without a pod, for tests of programs.
import type { Duplex } from 'node:stream';
import { FileSystem } from '../filesystem/fileSystem.js';
import { makeWire } from '../network/wire.js';
import { startOf } from '../programs/images/index.js';
import { AddressInUse, type Program, type World } from '../programs/program.js';
import { run } from '../programs/run.js';
import type { Screen } from '../programs/screen.js';
import { emptyInput, type Input, inputOf, type Output } from '../programs/streams.js';

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly stdin?: string | Input;
  readonly stdout?: Output;
  readonly signal?: AbortSignal;
  readonly screen?: Screen;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs programs on one file system. */
export class TestContainer {
  readonly files = new FileSystem();
  readonly heard: string[] = [];
  readonly lines: { readonly time: number; readonly line: string }[] = [];
  readonly #listeners = new Map<number, (connection: Duplex) => void>();
  readonly world: World = {
    files: this.files,
    hostname: 'pod-1',
    ports: [],
    ignoredSignals: new Set(),
    listen: (port, signal, accept) => {
      if (this.#listeners.has(port)) throw new AddressInUse(`${port}: address already in use`);
      this.#listeners.set(port, accept);
      signal.addEventListener('abort', () => this.#listeners.delete(port), { once: true });
    },
    hear: ({ method, url }) => this.heard.push(`${method} ${url}`),
    backdate: (time, line) => this.lines.push({ time, line: line.toString() }),
  };

  /** Whether somebody listens on the port. */
  listens(port: number): boolean {
    return this.#listeners.has(port);
  }

  connect(port: number): Duplex {
    const [near, far] = makeWire();
    this.#listeners.get(port)?.(far);
    return near;
  }

  /** Runs an image with a command. */
  async run(argv: readonly string[], options: RunOptions = {}, image = 'none'): Promise<Result> {
    const { argv: real, program } = image === 'none' ? startOf(image, argv, []) : startOf(image, [], argv);
    if (program === undefined) throw new Error(`no program ${argv[0]}`);
    return this.#run(program, real, options);
  }

  /** Runs a script. */
  sh(script: string, options: RunOptions = {}): Promise<Result> {
    return this.run(['sh', '-c', script], options);
  }

  async #run(program: Program, argv: readonly string[], options: RunOptions): Promise<Result> {
    const { stdin, signal = new AbortController().signal, environment = {}, screen } = options;
    const said = { stdout: '', stderr: '' };
    const collect = (name: 'stdout' | 'stderr'): Output => ({
      write: async (chunk) => {
        said[name] += chunk.toString();
      },
    });
    const code = await run(program, {
      argv,
      environment: new Map(Object.entries({ PATH: '/bin', HOME: '/root', ...environment })),
      directory: '/',
      stdin: typeof stdin === 'string' ? inputOf(Buffer.from(stdin)) : (stdin ?? emptyInput()),
      stdout: options.stdout ?? collect('stdout'),
      stderr: collect('stderr'),
      ...(screen === undefined ? {} : { screen }),
      signal,
      world: this.world,
    });
    return { code, ...said };
  }
}
