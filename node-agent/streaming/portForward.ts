// Port forwarding: connections to ports of a pod, over SPDY, a WebSocket, or SPDY inside of a WebSocket.
import { Duplex, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createWebSocketStream } from 'ws';
import { Channels } from './channels.js';
import { SpdySession } from './spdy/session.js';
import type { SpdyStream } from './spdy/stream.js';
import {
  headerTokens,
  isWebSocketRequest,
  refuseUpgrade,
  type UpgradeRequest,
  upgradeToSpdy,
  upgradeToWebSocket,
} from './upgrade.js';

/** Connects to a port of the pod. Its error is sent to the client. */
export type DialPort = (port: number) => Promise<Duplex>;

interface PortForwardTiming {
  /** The time limit between the two streams of a pair, in milliseconds. The default is 30,000, as in a kubelet. */
  readonly streamCreationTimeout?: number;
  /**
   * The time limit for the rest of the client's bytes after the pod has ended its half, in milliseconds. The default is
   * 1,000, as in containerd.
   */
  readonly halfClosedTimeout?: number;
}

/**
 * Serves a port-forward request: upgrades it, or refuses it with 400, 403 or 405 like a kubelet, and forwards until the
 * client disconnects. `ports` are the ports in the query, which the channels of a WebSocket need; over SPDY each stream
 * names its port. Resolves when all connections have ended; never rejects.
 */
export async function servePortForward(
  upgrade: UpgradeRequest,
  ports: readonly number[],
  dial: DialPort,
  timing: PortForwardTiming = {},
): Promise<void> {
  if (isWebSocketRequest(upgrade.request)) return serveWebSocket(upgrade, ports, dial, timing);
  const spdy = upgradeToSpdy(upgrade, ['portforward.k8s.io']);
  if (spdy !== undefined) await forwardStreams(spdy.start, dial, timing);
}

/**
 * Forwards a connection. Resolves when both directions have ended, or the pod's direction and then the time for the
 * other one. If the connection fails, the reason is sent on `error`.
 */
async function forward(
  port: number,
  dial: DialPort,
  data: Duplex,
  error: Writable,
  timing: PortForwardTiming,
): Promise<void> {
  try {
    await relay(await dial(port), data, () => error.end(), timing);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (!error.writableEnded) error.end(`error forwarding port ${port}: ${reason}`);
  } finally {
    if (!data.writableEnded) data.end();
    if (!error.writableEnded) error.end();
  }
}

/**
 * Ends each direction separately, as sockets do. Rejects if the pod's connection fails, but not if the client's does.
 */
async function relay(
  connection: Duplex,
  data: Duplex,
  onResponse: () => void,
  { halfClosedTimeout = 1_000 }: PortForwardTiming,
): Promise<void> {
  let fault: Error | undefined;
  let timer: NodeJS.Timeout | undefined;
  connection.on('error', (error) => {
    if (!data.destroyed) fault = error;
  });
  const down = pipeline(connection, data).then(() => {
    // Clients wait for the end of the error stream after the whole response.
    onResponse();
    // A pod that has closed its socket looks like one that has ended its half: only time tells.
    timer = setTimeout(() => connection.destroy(), halfClosedTimeout);
  });
  await Promise.allSettled([down, pipeline(data, connection)]);
  clearTimeout(timer);
  connection.destroy();
  if (fault !== undefined) throw fault;
}

type Accept = (stream: SpdyStream) => boolean;

interface Pair {
  readonly streams: { data?: SpdyStream; error?: SpdyStream };
  readonly timer: NodeJS.Timeout;
}

const defaultTimeout = 30_000;

/** A pair of streams for each connection, one for its bytes and one for an error. Resolves at the end of the session. */
async function forwardStreams(
  start: (accept: Accept) => SpdySession,
  dial: DialPort,
  { streamCreationTimeout = defaultTimeout, ...timing }: PortForwardTiming,
): Promise<void> {
  const pairs = new Map<string, Pair>();
  const running = new Set<Promise<void>>();

  const expire = (id: string) => {
    const { data, error } = pairs.get(id)?.streams ?? {};
    pairs.delete(id);
    error?.end(`error forwarding port: (request=${id}) timed out waiting for streams`);
    data?.destroy();
  };
  const session = start((stream) => {
    const port = portOf(stream);
    const type = stream.headers.get('streamtype');
    if (port === undefined || (type !== 'data' && type !== 'error')) return false;
    const id = requestId(stream, type);
    const pair = pairs.get(id) ?? { streams: {}, timer: setTimeout(expire, streamCreationTimeout, id) };
    if (pair.streams[type] !== undefined) return false;
    pair.streams[type] = stream;
    pairs.set(id, pair);
    const { data, error } = pair.streams;
    if (data === undefined || error === undefined) return true;
    clearTimeout(pair.timer);
    pairs.delete(id);
    // The client sends nothing on the error stream; reading it shows its end.
    error.resume();
    const forwarding = forward(portOf(data) ?? port, dial, data, error, timing);
    running.add(forwarding);
    void forwarding.then(() => running.delete(forwarding));
    return true;
  });

  await session.closed;
  for (const { timer } of pairs.values()) clearTimeout(timer);
  await Promise.all(running);
}

function portOf({ headers }: SpdyStream): number | undefined {
  const text = headers.get('port') ?? '';
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65535 ? port : undefined;
}

/** Returns the id of a pair. The oldest clients send none; they open an error stream and then its data stream. */
function requestId({ headers, id }: SpdyStream, type: 'data' | 'error'): string {
  return headers.get('requestid') || String(type === 'error' ? id : id - 2);
}

/** A whole SPDY session inside of a WebSocket, which newer clients prefer to channels. */
const tunnel = 'SPDY/3.1+portforward.k8s.io';
/** The channel protocols. The first is the default for a client that offers none. */
const codecs = { 'v4.channel.k8s.io': 'binary', 'v4.base64.channel.k8s.io': 'base64' } as const;
const known = [tunnel, ...(Object.keys(codecs) as (keyof typeof codecs)[])] as const;

/** Each port has two channels, and channel 255 is reserved. */
const maxPorts = 127;

async function serveWebSocket(
  upgrade: UpgradeRequest,
  ports: readonly number[],
  dial: DialPort,
  timing: PortForwardTiming,
): Promise<void> {
  const { request, socket } = upgrade;
  const mayTunnel = headerTokens(request.headers['sec-websocket-protocol']).includes(tunnel);
  if (!mayTunnel && ports.length === 0) return refuseUpgrade(socket, 400, 'query parameter "port" is required');
  if (!mayTunnel && ports.length > maxPorts)
    return refuseUpgrade(socket, 400, `at most ${maxPorts} ports can be forwarded`);
  const upgraded = await upgradeToWebSocket(upgrade, known);
  if (upgraded === undefined) return;
  const { protocol = 'v4.channel.k8s.io', webSocket } = upgraded;
  if (protocol === tunnel) {
    const transport = createWebSocketStream(webSocket);
    return forwardStreams((accept) => new SpdySession(transport, { role: 'server', accept }), dial, timing);
  }
  await forwardChannels(new Channels(webSocket, codecs[protocol]), ports, dial, timing);
}

/**
 * Connects to all ports at once. Both channels of a port start with its number, in little endian. The WebSocket ends
 * after the last port.
 */
async function forwardChannels(
  channels: Channels,
  ports: readonly number[],
  dial: DialPort,
  timing: PortForwardTiming,
): Promise<void> {
  const forwarding = ports.map((port, index) => {
    const writable = channels.writable(2 * index);
    const data = Duplex.from({ readable: channels.readable(2 * index), writable });
    data.on('error', () => {});
    channels.signal.addEventListener('abort', () => data.destroy(), { once: true });
    const error = channels.writable(2 * index + 1);
    const number = Buffer.alloc(2);
    number.writeUInt16LE(port);
    writable.write(number);
    error.write(number);
    return forward(port, dial, data, error, timing);
  });
  await Promise.all(forwarding);
  await channels.close();
}
