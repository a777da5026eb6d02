// The interface of a transport of remote commands: the standard streams, and the message of the outcome.
import type { Readable, Writable } from 'node:stream';
import type { TerminalSize } from './terminalSizeQueue.js';

export interface RemoteCommandOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  /** Has no effect with a terminal, which has only one output. */
  readonly stderr: boolean;
  readonly tty: boolean;
  /**
   * The time limit for the client to open its SPDY streams, in milliseconds. The default is 30,000, as in a kubelet.
   */
  readonly streamCreationTimeout?: number;
}

/** The streams of an accepted request. Streams that the client did not request are undefined. */
export interface RemoteCommandConnection {
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  readonly resize: AsyncIterable<TerminalSize>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Sends the outcome to the client and closes the connection. */
  finish(outcome: RemoteCommandOutcome): Promise<void>;
}

/** The exit code of a command, or the reason why it did not run. */
export type RemoteCommandOutcome = { readonly exitCode: number } | { readonly error: string };

/**
 * Returns the content of the error stream: a Status since version 4 of the protocol, earlier the message of a failure.
 */
export function renderOutcome(outcome: RemoteCommandOutcome, form: 'status' | 'text'): string {
  const status = toStatus(outcome);
  return form === 'status' ? JSON.stringify(status) : (status.message ?? '');
}

function toStatus(outcome: RemoteCommandOutcome) {
  if ('error' in outcome) {
    const message = `error executing command in container: ${outcome.error}`;
    return {
      metadata: {},
      status: 'Failure',
      message: `Internal error occurred: ${message}`,
      reason: 'InternalError',
      details: { causes: [{ message }] },
      code: 500,
    };
  }
  if (outcome.exitCode === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${outcome.exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: `${outcome.exitCode}` }] },
  };
}
