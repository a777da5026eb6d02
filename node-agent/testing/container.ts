// A container without a pod, for tests of programs.
import type { Duplex } from 'node:stream';
import { FileSystem } from '../kernel/fileSystem.js';
import { type Container, type Program, run } from '../kernel/process.js';
import { emptyInput, type Input, inputOf, type Output } from '../kernel/streams.js';
import type { Tty } from '../kernel/tty.js';
import { AddressInUse, makeConnection } from '../network/virtualNetwork.js';
import { entrypointOf } from '../programs/images/index.js';

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly stdin?: string | Input;
  readonly stdout?: Output;
  readonly signal?: AbortSignal;
  readonly tty?: Tty;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs programs on one file system. */
export class TestContainer {
  readonly files = new FileSystem();
  readonly heard: string[] = [];
  readonly lines: { readonly time: number; readonly line: string }[] = [];
  readonly #listeners = new Map<number, (connection: Duplex) => void>();
  readonly container: Container = {
    files: this.files,
    hostname: 'pod-1',
    ports: [],
    ignoredSignals: new Set(),
    listen: (port, signal, accept) => {
      if (this.#listeners.has(port)) throw new AddressInUse(`${port}: address already in use`);
      this.#listeners.set(port, accept);
      signal.addEventListener('abort', () => this.#listeners.delete(port), { once: true });
    },
    onRequest: ({ method, url }) => this.heard.push(`${method} ${url}`),
    backdate: (time, line) => this.lines.push({ time, line: line.toString() }),
  };

  /** Reports whether a program listens on the port. */
  listens(port: number): boolean {
    return this.#listeners.has(port);
  }

  connect(port: number): Duplex {
    const [near, far] = makeConnection();
    this.#listeners.get(port)?.(far);
    return near;
  }

  /** Runs an image with a command. */
  async run(argv: readonly string[], options: RunOptions = {}, image = 'none'): Promise<Result> {
    const { argv: real, program } = image === 'none' ? entrypointOf(image, argv, []) : entrypointOf(image, [], argv);
    if (program === undefined) throw new Error(`no program ${argv[0]}`);
    return this.#run(program, real, options);
  }

  /** Runs a script. */
  sh(script: string, options: RunOptions = {}): Promise<Result> {
    return this.run(['sh', '-c', script], options);
  }

  async #run(program: Program, argv: readonly string[], options: RunOptions): Promise<Result> {
    const { stdin, signal = new AbortController().signal, environment = {}, tty } = options;
    const output = { stdout: '', stderr: '' };
    const collect = (name: 'stdout' | 'stderr'): Output => ({
      write: async (chunk) => {
        output[name] += chunk.toString();
      },
    });
    const code = await run(program, {
      argv,
      environment: new Map(Object.entries({ PATH: '/bin', HOME: '/root', ...environment })),
      directory: '/',
      stdin: typeof stdin === 'string' ? inputOf(Buffer.from(stdin)) : (stdin ?? emptyInput()),
      stdout: options.stdout ?? collect('stdout'),
      stderr: collect('stderr'),
      ...(tty && { tty }),
      signal,
      container: this.container,
    });
    return { code, ...output };
  }
}
