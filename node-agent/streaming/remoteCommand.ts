// Remote commands (exec, attach): standard streams and sizes of the terminal, over SPDY or a WebSocket.
import { type Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { firstOf } from '../../matrix/api/signals.js';
import { Channels } from './channels.js';
import type { SpdyStream } from './spdy/stream.js';
import { type TerminalSize, terminalSizes } from './terminalSizes.js';
import {
  isWebSocketRequest,
  refuseUpgrade,
  type UpgradeRequest,
  upgradeToSpdy,
  upgradeToWebSocket,
} from './upgrade.js';

interface RemoteCommandOptions {
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
interface RemoteCommandConnection {
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
type RemoteCommandOutcome = { readonly exitCode: number } | { readonly error: string };

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
    return refuseUpgrade(upgrade.socket, 400, 'you must specify at least 1 of stdin, stdout, stderr');
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

/** The versions of the protocol. `channel.k8s.io` is the default for a client that offers none. */
const spdyVersions = {
  'v4.channel.k8s.io': { resizes: true, outcome: 'status' },
  'v3.channel.k8s.io': { resizes: true, outcome: 'text' },
  'v2.channel.k8s.io': { resizes: false, outcome: 'text' },
  'channel.k8s.io': { resizes: false, outcome: 'text' },
} as const;
const spdyProtocols = Object.keys(spdyVersions) as (keyof typeof spdyVersions)[];

const streamTypes = ['error', 'stdin', 'stdout', 'stderr', 'resize'] as const;
type StreamType = (typeof streamTypes)[number];
type Streams = Partial<Record<StreamType, SpdyStream>>;

const defaultTimeout = 30_000;

/**
 * Opens the streams of a command. Returns undefined if the request is refused or the client does not open its streams
 * in time; the socket is then closed.
 */
async function openSpdyCommand(
  upgrade: UpgradeRequest,
  options: RemoteCommandOptions,
): Promise<RemoteCommandConnection | undefined> {
  const spdy = upgradeToSpdy(upgrade, spdyProtocols);
  if (spdy === undefined) return undefined;
  const version = spdyVersions[spdy.protocol ?? 'channel.k8s.io'];
  const expected = expectedStreams(options, version.resizes);

  const streams: Streams = {};
  const complete = new AbortController();
  const session = spdy.start((stream) => {
    const type = streamTypes.find((name) => name === stream.headers.get('streamtype'));
    if (type === undefined || streams[type] !== undefined || complete.signal.aborted) return false;
    streams[type] = stream;
    // The client sends nothing else that is read; an unread stream would block the session.
    if (type !== 'resize' && !(type === 'stdin' && options.stdin)) stream.resume();
    if (expected.every((name) => streams[name] !== undefined)) complete.abort();
    return true;
  });

  const finish = async (outcome: RemoteCommandOutcome) => {
    streams.error?.end(renderOutcome(outcome, version.outcome));
    await session.close();
  };
  const disconnected = new AbortController();
  void session.closed.then(() => disconnected.abort());
  const settled = firstOf(complete.signal, disconnected.signal);
  await setTimeout(options.streamCreationTimeout ?? defaultTimeout, undefined, { signal: settled }).catch(() => {});
  if (!complete.signal.aborted) {
    await finish({ error: 'timed out waiting for client to create streams' });
    return undefined;
  }
  const { stdin, stdout, stderr, resize } = streams;
  return {
    stdin: options.stdin ? stdin : undefined,
    stdout,
    stderr,
    resize: terminalSizes(resize),
    signal: disconnected.signal,
    finish,
  };
}

function expectedStreams({ stdin, stdout, stderr, tty }: RemoteCommandOptions, resizes: boolean) {
  const wanted = { error: true, stdin, stdout, stderr, resize: tty && resizes };
  return streamTypes.filter((name) => wanted[name]);
}

/** The subprotocols. `channel.k8s.io` is the default for a client that offers none. */
const webSocketVersions = {
  'v5.channel.k8s.io': { codec: 'binary', outcome: 'status', closes: true },
  'v4.channel.k8s.io': { codec: 'binary', outcome: 'status', closes: false },
  'v4.base64.channel.k8s.io': { codec: 'base64', outcome: 'status', closes: false },
  'channel.k8s.io': { codec: 'binary', outcome: 'text', closes: false },
  'base64.channel.k8s.io': { codec: 'base64', outcome: 'text', closes: false },
} as const;
const webSocketProtocols = Object.keys(webSocketVersions) as (keyof typeof webSocketVersions)[];

/**
 * How long a client of version 5 that reads has to make its streams before the first message, in milliseconds: kubectl
 * 1.30 to 1.33 drops what comes earlier (kubernetes/kubernetes#131203). The runtime of a real node takes longer to start a
 * process.
 */
const beforeFirstMessage = 50;
/** How long a client of version 5 has to begin to read, in milliseconds. */
const beforeReading = 10_000;

const channelOf = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** Opens the streams of a command. Returns undefined if the request is refused; the socket is then closed. */
async function openWebSocketCommand(
  upgrade: UpgradeRequest,
  { stdin, stdout, stderr }: RemoteCommandOptions,
): Promise<RemoteCommandConnection | undefined> {
  const upgraded = await upgradeToWebSocket(upgrade, webSocketProtocols);
  if (upgraded === undefined) return undefined;
  const version = webSocketVersions[upgraded.protocol ?? 'channel.k8s.io'];
  const channels = new Channels(upgraded.webSocket, version.codec, version);
  const { signal } = channels;
  // A client may send at once.
  const input = stdin ? channels.readable(channelOf.stdin) : undefined;
  const sizes = channels.readable(channelOf.resize);
  if (version.closes) await streamsMade(upgraded.webSocket, signal);
  channels.announce(stdout ? channelOf.stdout : stderr ? channelOf.stderr : channelOf.error);
  return {
    stdin: input,
    stdout: stdout ? channels.writable(channelOf.stdout) : undefined,
    stderr: stderr ? channels.writable(channelOf.stderr) : undefined,
    resize: terminalSizes(sizes),
    signal,
    finish: async (outcome) => {
      const error = channels.writable(channelOf.error).end(renderOutcome(outcome, version.outcome));
      await finished(error).catch(() => {});
      await channels.close();
    },
  };
}

/** Waits until a client reads, which the answer to a ping shows, or a message, and a moment more. */
async function streamsMade(webSocket: WebSocket, closed: AbortSignal): Promise<void> {
  const reads = new AbortController();
  for (const event of ['pong', 'message']) webSocket.once(event, () => reads.abort());
  webSocket.ping();
  await setTimeout(beforeReading, undefined, { signal: firstOf(reads.signal, closed) }).catch(() => {});
  await setTimeout(beforeFirstMessage, undefined, { signal: closed }).catch(() => {});
}

/**
 * Returns the content of the error stream: a Status since version 4 of the protocol, earlier the message of a failure.
 */
function renderOutcome(outcome: RemoteCommandOutcome, form: 'status' | 'text'): string {
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
