// Remote commands over SPDY: a stream each for the error, the standard streams and the terminal's sizes.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RemoteCommandConnection, RemoteCommandOptions } from './remoteCommand.js';
import { type RemoteCommandOutcome, renderOutcome } from './remoteCommandStatus.js';
import type { SpdyStream } from './spdy/stream.js';
import { upgradeToSpdy } from './spdyUpgrade.js';
import { TerminalSizes } from './terminalSizes.js';

/** The versions, and what each of them is able to tell. A client that offers none speaks the first. */
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

/** Undefined where the request was refused, or the client did not open its streams in time; the socket is done then. */
export async function openSpdyCommand(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  options: RemoteCommandOptions,
): Promise<RemoteCommandConnection | undefined> {
  const upgrade = upgradeToSpdy(request, socket, head, known);
  if (upgrade === undefined) return undefined;
  const version = versions[upgrade.protocol ?? 'channel.k8s.io'];
  const expected = expectedStreams(options, version.resizes);

  const streams: Streams = {};
  const arrival = new AbortController();
  const session = upgrade.start((stream) => {
    const type = streamTypes.find((name) => name === stream.headers.get('streamtype'));
    if (type === undefined || streams[type] !== undefined || arrival.signal.aborted) return false;
    streams[type] = stream;
    // the others go the other way, and one that nobody asked for must not fill up
    if (type !== 'resize' && !(type === 'stdin' && options.stdin)) stream.resume();
    if (expected.every((name) => streams[name] !== undefined)) arrival.abort();
    return true;
  });

  const finish = async (outcome: RemoteCommandOutcome) => {
    streams.error?.end(renderOutcome(outcome, version.outcome));
    await session.close();
  };
  if (!(await arrivesInTime(arrival.signal, session.closed, options.streamCreationTimeout ?? defaultTimeout))) {
    await finish({ error: 'timed out waiting for client to create streams' });
    return undefined;
  }
  const gone = new AbortController();
  void session.closed.then(() => gone.abort());
  const { stdin, stdout, stderr, resize } = streams;
  return {
    stdin: options.stdin ? stdin : undefined,
    stdout,
    stderr,
    resize: resize === undefined ? endedSizes() : TerminalSizes.from(resize),
    signal: gone.signal,
    finish,
  };
}

function expectedStreams({ stdin, stdout, stderr, tty }: RemoteCommandOptions, resizes: boolean) {
  const wanted = { error: true, stdin, stdout, stderr, resize: tty && resizes };
  return streamTypes.filter((name) => wanted[name]);
}

function endedSizes(): TerminalSizes {
  const sizes = new TerminalSizes();
  sizes.end();
  return sizes;
}

async function arrivesInTime(arrival: AbortSignal, closed: Promise<void>, timeout: number): Promise<boolean> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, timeout);
    const arrived = () => {
      clearTimeout(timer);
      resolve();
    };
    arrival.addEventListener('abort', arrived, { once: true });
    void closed.then(arrived);
  });
  return arrival.aborted;
}
