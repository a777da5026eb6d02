// What a simulated program is, and the world that it sees. Nothing of it reaches the machine underneath.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FileSystem } from '../filesystem/fileSystem.js';
import type { Screen } from './screen.js';
import type { Input, Output } from './streams.js';

/** What the programs of one container share. */
export interface World {
  readonly files: FileSystem;
  readonly hostname: string;
  /** The ports that the container's spec names. */
  readonly ports: readonly number[];
  /** Signals that the main program ignores; a shell's `trap '' TERM` adds to it. */
  readonly ignoredSignals: Set<string>;
  /** Listens on the pod's address until the signal. Throws AddressInUse. */
  listen(port: number, signal: AbortSignal, accept: (connection: Duplex) => void): void;
  /** Tells of a request that a program answers on `end`. */
  hear(request: IncomingMessage, end: ServerResponse | Duplex): void;
  /** Writes a line to the container's log as if it had been said at that time, in milliseconds. */
  backdate(time: number, line: Buffer): void;
}

/** One run of a program. */
export interface Process {
  /** The name that it was called by, and its arguments. */
  readonly argv: readonly string[];
  readonly environment: Map<string, string>;
  /** Absolute path of the working directory. */
  readonly directory: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Absent where it has no terminal. */
  readonly screen?: Screen;
  /** Aborted with a Signal when the program has to end. */
  readonly signal: AbortSignal;
  readonly world: World;
}

/** Runs to its end and gives its exit code. */
export type Program = (process: Process) => Promise<number>;

/** Why a program was ended. */
export class Signal extends Error {
  override readonly name = 'Signal';

  constructor(readonly number: number) {
    super(`signal ${number}`);
  }

  /** The exit code of a program that this ends. */
  get exitCode(): number {
    return 128 + this.number;
  }
}

export const terminate = new Signal(15);
export const kill = new Signal(9);
export const interrupt = new Signal(2);

/** Ends a program: its message is a line on standard error. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** Another program of the pod listens on the port already. */
export class AddressInUse extends Error {
  override readonly name = 'AddressInUse';
}

/** Waits; rejects with the signal's reason when that comes first. Forever where no time is given. */
export function pause(signal: AbortSignal, milliseconds = Number.POSITIVE_INFINITY): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const deadline = Date.now() + milliseconds;
    let timer: NodeJS.Timeout;
    const wait = () => {
      timer = setTimeout(next, Math.min(Math.max(deadline - Date.now(), 0), 2_000_000_000));
    };
    const aborted = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const next = () => {
      if (Date.now() < deadline) return wait();
      signal.removeEventListener('abort', aborted);
      resolve();
    };
    signal.addEventListener('abort', aborted, { once: true });
    wait();
  });
}

/** Lets everybody else go first, so that no program keeps the agent to itself. Rejects with the signal's reason. */
export async function yieldToOthers(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}
