// Remote commands (exec, attach): a request becomes standard streams, over SPDY or a WebSocket.
import type { IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { openSpdyCommand } from './remoteCommandSpdy.js';
import type { RemoteCommandOutcome } from './remoteCommandStatus.js';
import { openWebSocketCommand } from './remoteCommandWebSocket.js';
import type { TerminalSize } from './terminalSizes.js';
import { refuse } from './upgrade.js';
import { isWebSocketRequest } from './webSocketUpgrade.js';

export interface RemoteCommandOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  /** Of no effect with a terminal: there both outputs are one. */
  readonly stderr: boolean;
  readonly tty: boolean;
  /** Milliseconds within which the client must have opened its SPDY streams; a kubelet waits for 30,000. */
  readonly streamCreationTimeout?: number;
}

interface RemoteCommandStreams {
  /** Undefined where it was not asked for. Ends or fails when the client is gone. */
  readonly stdin: Readable | undefined;
  /** Takes and drops what is written where it was not asked for. */
  readonly stdout: Writable;
  /** The terminal's output where there is a terminal; takes and drops what is written where it was not asked for. */
  readonly stderr: Writable;
  readonly resize: AsyncIterable<TerminalSize>;
}

/** Runs the command. The signal aborts when the client is gone: it should settle soon after, its outcome is dropped. */
export type RunRemoteCommand = (streams: RemoteCommandStreams, signal: AbortSignal) => Promise<RemoteCommandOutcome>;

/** What a transport makes of a granted request. */
export interface RemoteCommandConnection {
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  readonly resize: AsyncIterable<TerminalSize>;
  readonly signal: AbortSignal;
  /** Tells how the command ended, and closes the connection. */
  finish(outcome: RemoteCommandOutcome): Promise<void>;
}

/**
 * Answers an exec or attach request: upgrades it (or refuses with 400, 403 or 405 as a kubelet does), runs the command
 * on its streams, tells the exit code, hangs up. Resolves when all of it is over; never rejects: a command that throws
 * is told to the client as a failure, a client that vanishes ends it quietly.
 */
export async function serveRemoteCommand(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  options: RemoteCommandOptions,
  run: RunRemoteCommand,
): Promise<void> {
  const wanted = { ...options, stderr: options.stderr && !options.tty };
  if (!wanted.stdin && !wanted.stdout && !wanted.stderr)
    return refuse(socket, 400, 'you must specify at least 1 of stdin, stdout, stderr');
  const open = isWebSocketRequest(request) ? openWebSocketCommand : openSpdyCommand;
  const connection = await open(request, socket, head, wanted);
  if (connection === undefined) return;
  const stdout = connection.stdout ?? into(undefined);
  const stderr = options.tty ? into(stdout) : (connection.stderr ?? into(undefined));
  const outcome = await attempt(run, { ...connection, stdout, stderr }, connection.signal);
  // in this order: with a terminal the one writes into the other
  await endAfterItsContent(stderr);
  await endAfterItsContent(stdout);
  await connection.finish(outcome);
}

async function attempt(
  run: RunRemoteCommand,
  { stdin, stdout, stderr, resize }: RemoteCommandStreams,
  signal: AbortSignal,
): Promise<RemoteCommandOutcome> {
  try {
    return await run({ stdin, stdout, stderr, resize }, signal);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** A stream of its own, so that its end is not the other's; undefined drops what is written. */
function into(target: Writable | undefined): Writable {
  const writable = new Writable({
    write: (chunk, _, done) => (target === undefined ? done() : void target.write(chunk, done)),
  });
  writable.on('error', () => {});
  return writable;
}

async function endAfterItsContent(stream: Writable): Promise<void> {
  if (!stream.writableEnded && !stream.destroyed) stream.end();
  await finished(stream, { readable: false }).catch(() => {});
}
