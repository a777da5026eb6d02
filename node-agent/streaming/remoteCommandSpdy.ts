// Remote commands over SPDY: a stream for the error, for each standard stream, and for the sizes of the terminal.
import { setTimeout } from 'node:timers/promises';
import {
  type RemoteCommandConnection,
  type RemoteCommandOptions,
  type RemoteCommandOutcome,
  renderOutcome,
} from './remoteCommandConnection.js';
import type { SpdyStream } from './spdy/stream.js';
import { upgradeToSpdy } from './spdyUpgrade.js';
import { TerminalSizeQueue } from './terminalSizeQueue.js';
import type { UpgradeRequest } from './upgrade.js';

/** The versions of the protocol. `channel.k8s.io` is the default for a client that offers none. */
const versions = {
  'v4.channel.k8s.io': { resizes: true, outcome: 'status' },
  'v3.channel.k8s.io': { resizes: true, outcome: 'text' },
  'v2.channel.k8s.io': { resizes: false, outcome: 'text' },
  'channel.k8s.io': { resizes: false, outcome: 'text' },
} as const;
const known = Object.keys(versions) as (keyof typeof versions)[];

const streamTypes = ['error', 'stdin', 'stdout', 'stderr', 'resize'] as const;
type StreamType = (typeof streamTypes)[number];
type Streams = Partial<Record<StreamType, SpdyStream>>;

const defaultTimeout = 30_000;

/**
 * Opens the streams of a command. Returns undefined if the request is refused or the client does not open its streams
 * in time; the socket is then closed.
 */
export async function openSpdyCommand(
  upgrade: UpgradeRequest,
  options: RemoteCommandOptions,
): Promise<RemoteCommandConnection | undefined> {
  const spdy = upgradeToSpdy(upgrade, known);
  if (spdy === undefined) return undefined;
  const version = versions[spdy.protocol ?? 'channel.k8s.io'];
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
  const settled = AbortSignal.any([complete.signal, disconnected.signal]);
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
    resize: resize === undefined ? endedSizes() : TerminalSizeQueue.from(resize),
    signal: disconnected.signal,
    finish,
  };
}

function expectedStreams({ stdin, stdout, stderr, tty }: RemoteCommandOptions, resizes: boolean) {
  const wanted = { error: true, stdin, stdout, stderr, resize: tty && resizes };
  return streamTypes.filter((name) => wanted[name]);
}

function endedSizes(): TerminalSizeQueue {
  const sizes = new TerminalSizeQueue();
  sizes.end();
  return sizes;
}
