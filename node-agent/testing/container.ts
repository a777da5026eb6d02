// A container without a pod, for tests of programs; and inputs with given bytes.
import type { Duplex } from 'node:stream';
import { FileSystem } from '../kernel/fileSystem.js';
import { type Program, runProgram, type Sandbox } from '../kernel/process.js';
import { emptyInput, Input, type Output } from '../kernel/streams.js';
import type { Tty } from '../kernel/tty.js';
import { AddressInUse, ConnectionRefused, makeConnection, type Transport } from '../network/virtualNetwork.js';
import { entrypointOf, programOfImage } from '../programs/images.js';

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly stdin?: string | Input;
  readonly stdout?: Output;
  readonly signal?: AbortSignal;
  readonly tty?: Tty;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs programs on one file system. */
export class TestContainer {
  readonly files = new FileSystem();
  /** The image whose programs the shell finds. */
  image = 'none';
  readonly heard: string[] = [];
  readonly lines: { readonly time: number; readonly line: string }[] = [];
  /** What the DNS server of the cluster knows. */
  readonly names = new Map<string, readonly string[]>();
  readonly #listeners = new Map<string, (connection: Duplex) => void>();
  readonly sandbox: Sandbox = {
    files: this.files,
    hostname: 'pod-1',
    user: { uid: 1000, gid: 7, groups: [7, 9], mayEscalate: true, isPrivileged: false },
    programOfImage: (name) => programOfImage(this.image, name),
    ports: [],
    ignoreTerm: () => {},
    listen: (port, signal, accept, transport = 'tcp') => {
      const key = `${transport} ${port}`;
      if (this.#listeners.has(key)) throw new AddressInUse(`${port}: address already in use`);
      this.#listeners.set(key, accept);
      signal.addEventListener('abort', () => this.#listeners.delete(key), { once: true });
    },
    connect: async (address, port, transport = 'tcp') => {
      if (!this.listens(port, transport)) throw new ConnectionRefused(address, port, transport);
      return this.connect(port, transport);
    },
    lookUp: async (name, type) => this.names.get(name)?.map((data) => ({ name, type, data })),
    onRequest: ({ method, url }) => this.heard.push(`${method} ${url}`),
    backdate: (time, line) => this.lines.push({ time, line: line.toString() }),
  };

  listens(port: number, transport: Transport = 'tcp'): boolean {
    return this.#listeners.has(`${transport} ${port}`);
  }

  async contentOf(path: string): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.files.input(path)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  connect(port: number, transport: Transport = 'tcp'): Duplex {
    const [near, far] = makeConnection();
    this.#listeners.get(`${transport} ${port}`)?.(
      Object.assign(far, { remoteAddress: '10.244.0.9', remotePort: 40_000 }),
    );
    return near;
  }

  /** Runs an image with a command. */
  async run(argv: readonly string[], options: RunOptions = {}, image = 'none'): Promise<Result> {
    const { argv: real, program } = image === 'none' ? entrypointOf(image, argv, []) : entrypointOf(image, [], argv);
    if (program === undefined) throw new Error(`no program ${argv[0]}`);
    return this.#run(program, real, options);
  }

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
    const code = await runProgram(program, {
      argv,
      environment: new Map(Object.entries({ PATH: '/bin', HOME: '/root', ...environment })),
      directory: '/',
      stdin: typeof stdin === 'string' ? inputOf(Buffer.from(stdin)) : (stdin ?? emptyInput()),
      stdout: options.stdout ?? collect('stdout'),
      stderr: collect('stderr'),
      ...(tty && { tty }),
      signal,
      sandbox: this.sandbox,
    });
    return { code, ...output };
  }
}

/** Returns an input with these bytes. */
export function inputOf(...chunks: Buffer[]): Input {
  const left = [...chunks];
  return new Input({ read: async () => left.shift(), close: () => left.splice(0) });
}
