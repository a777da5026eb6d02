// Remote commands (exec, attach): standard streams over SPDY or a WebSocket.
import { type Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { RemoteCommandOptions, RemoteCommandOutcome } from './remoteCommandConnection.js';
import { openSpdyCommand } from './remoteCommandSpdy.js';
import { openWebSocketCommand } from './remoteCommandWebSocket.js';
import type { TerminalSize } from './terminalSizeQueue.js';
import { refuse, type UpgradeRequest } from './upgrade.js';
import { isWebSocketRequest } from './webSocketUpgrade.js';

interface RemoteCommandStreams {
  /** Undefined if the client did not request it. Ends or fails when the client disconnects. */
  readonly stdin: Readable | undefined;
  /** Discards its input if the client did not request it. */
  readonly stdout: Writable;
  /** Writes to `stdout` if there is a terminal. Otherwise discards its input if the client did not request it. */
  readonly stderr: Writable;
  readonly resize: AsyncIterable<TerminalSize>;
}

/** Runs a command. The signal aborts when the client disconnects; the command should then end soon. */
export type RunRemoteCommand = (streams: RemoteCommandStreams, signal: AbortSignal) => Promise<RemoteCommandOutcome>;

/**
 * Serves an exec or attach request: upgrades it, or refuses it with 400, 403 or 405 like a kubelet; runs the command on
 * its streams, sends the outcome, and closes the connection. Resolves after that and never rejects: the client receives
 * the error of a command that rejects.
 */
export async function serveRemoteCommand(
  upgrade: UpgradeRequest,
  options: RemoteCommandOptions,
  run: RunRemoteCommand,
): Promise<void> {
  const wanted = { ...options, stderr: options.stderr && !options.tty };
  if (!wanted.stdin && !wanted.stdout && !wanted.stderr)
    return refuse(upgrade.socket, 400, 'you must specify at least 1 of stdin, stdout, stderr');
  const open = isWebSocketRequest(upgrade.request) ? openWebSocketCommand : openSpdyCommand;
  const connection = await open(upgrade, wanted);
  if (connection === undefined) return;
  const { stdin, resize, signal } = connection;
  const stdout = connection.stdout ?? writableTo(undefined);
  const stderr = options.tty ? writableTo(stdout) : (connection.stderr ?? writableTo(undefined));
  const outcome = await run({ stdin, stdout, stderr, resize }, signal).catch((error: unknown) => ({
    error: error instanceof Error ? error.message : String(error),
  }));
  // In this order, because with a terminal stderr writes to stdout.
  await end(stderr);
  await end(stdout);
  await connection.finish(outcome);
}

/** Returns a stream that writes to the target without ending it. Without a target, it discards its input. */
function writableTo(target: Writable | undefined): Writable {
  const writable = new Writable({
    write: (chunk, _, done) => (target === undefined ? done() : void target.write(chunk, done)),
  });
  writable.on('error', () => {});
  return writable;
}

/** Ends a stream. Resolves when everything is written. */
async function end(stream: Writable): Promise<void> {
  if (!stream.writableEnded && !stream.destroyed) stream.end();
  await finished(stream, { readable: false }).catch(() => {});
}
