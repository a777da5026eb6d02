// Simulated programs: their inputs, environment and end. They cannot reach the real machine.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { longestDelay } from '../../matrix/api/longestDelay.js';
import type { DnsRecord, RecordType } from '../network/clusterNames.js';
import type { Transport } from '../network/virtualNetwork.js';
import type { FileSystem } from './fileSystem.js';
import { BrokenPipe, type Input, type Output, writeText } from './streams.js';
import type { Tty } from './tty.js';

/** As whom the programs of a container run. */
export interface User {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  /** Whether a program that belongs to root may run as root. */
  readonly mayEscalate: boolean;
  readonly isPrivileged: boolean;
}

/** What the programs of one container see of their pod. */
export interface Sandbox {
  readonly files: FileSystem;
  readonly hostname: string;
  readonly user: User;
  /** The ports in the container's spec. */
  readonly ports: readonly number[];
  /** Returns the program of the image that has a name or a path, besides the commands of every container. */
  programOfImage(name: string): Program | undefined;
  /** Makes the main program survive SIGTERM. */
  ignoreTerm(): void;
  /** Listens on the pod's address until the signal. Throws AddressInUse. */
  listen(port: number, signal: AbortSignal, accept: (connection: Duplex) => void, transport?: Transport): void;
  /**
   * Connects to an address of the virtual network, which may be that of a service. Rejects with Error if nothing
   * listens there.
   */
  connect(address: string, port: number, transport?: Transport): Promise<Duplex>;
  /** Asks the DNS server of the cluster about a whole name. Resolves with undefined if there is no such name. */
  lookUp(name: string, type: RecordType): Promise<readonly DnsRecord[] | undefined>;
  /** Reports a request that a program answers on `response`. */
  onRequest(request: IncomingMessage, response: ServerResponse | Duplex): void;
  /** Writes a line to the container's log with a given time, in milliseconds since 1970. */
  backdate(time: number, line: Buffer): void;
}

/** One run of a program. */
export interface Process {
  /** The name by which the program was called, and its arguments. */
  readonly argv: readonly string[];
  readonly environment: Map<string, string>;
  /** Absolute path of the working directory. */
  readonly directory: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Absent if the process has no terminal. */
  readonly tty?: Tty;
  /** Aborts with a Signal when the program must end. */
  readonly signal: AbortSignal;
  readonly sandbox: Sandbox;
}

/** Runs a program. Resolves with the exit code when it ends. */
export type Program = (process: Process) => Promise<number>;

/** A signal that ends a program, as the reason of an abort. */
class Signal extends Error {
  override readonly name = 'Signal';

  constructor(readonly number: number) {
    super(`signal ${number}`);
  }

  /** The exit code of a program that the signal ends. */
  get exitCode(): number {
    return 128 + this.number;
  }
}

export const sigint = new Signal(2);
export const sigkill = new Signal(9);
export const sigterm = new Signal(15);

/** Ends a program. The message becomes a line on its stderr. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';

  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/**
 * Returns a signal that aborts after so many milliseconds. `AbortSignal.timeout` throws for what is not a whole number of
 * 32 bits.
 */
export const timeLimit = (milliseconds: number): AbortSignal =>
  AbortSignal.timeout(Math.min(Math.ceil(milliseconds), longestDelay));

/** Waits, forever if no time is given. Rejects with the signal's reason if the signal comes first. */
export async function pause(signal: AbortSignal, milliseconds = Number.POSITIVE_INFINITY): Promise<void> {
  // Not the time of day, which may jump.
  const deadline = performance.now() + milliseconds;
  do {
    const left = Math.min(Math.max(deadline - performance.now(), 0), longestDelay);
    await setTimeout(left, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  } while (performance.now() < deadline);
}

/** Lets other work run, so that no program blocks the agent. Rejects with the signal's reason. */
export async function yieldToOthers(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}

/** The exit code of a program that writes to a closed pipe (SIGPIPE). */
const brokenPipe = 141;

/**
 * Runs a program. Resolves with its exit code, or with 128 plus the number of the signal that ended it. Never rejects.
 */
export async function runProgram(program: Program, process: Process): Promise<number> {
  const { signal, stdout, stderr } = process;
  if (signal.aborted) return exitCodeOf(signal.reason, process);
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    const ended = program({ ...process, stdout: guard(stdout, signal), stderr: guard(stderr, signal) });
    // The other promise settles later, and its error must not be an unhandled rejection.
    ended.catch(() => {});
    stopped.catch(() => {});
    return await Promise.race([ended, stopped]);
  } catch (error) {
    return await exitCodeOf(error, process);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Returns an output that rejects writes after the signal. */
const guard = ({ write }: Output, signal: AbortSignal): Output => ({
  write: async (chunk) => {
    signal.throwIfAborted();
    await write(chunk);
  },
});

async function exitCodeOf(error: unknown, { argv, stderr }: Process): Promise<number> {
  if (error instanceof Signal) return error.exitCode;
  if (error instanceof BrokenPipe) return brokenPipe;
  const message = error instanceof Error ? error.message : String(error);
  await writeText(stderr, `${argv[0] ?? 'program'}: ${message}\n`).catch(() => {});
  return error instanceof ProgramError ? error.exitCode : 1;
}
