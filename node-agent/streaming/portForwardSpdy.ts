// Port forwarding over SPDY: a pair of streams for each connection, one for its bytes and one for an error.
import type { Duplex } from 'node:stream';
import { type DialPort, type ForwardTiming, forward } from './forward.js';
import { SpdySession } from './spdy/session.js';
import type { SpdyStream } from './spdy/stream.js';
import { upgradeToSpdy } from './spdyUpgrade.js';
import type { UpgradeRequest } from './upgrade.js';

export interface PortForwardTiming extends ForwardTiming {
  /** The time limit between the two streams of a pair, in milliseconds. The default is 30,000, as in a kubelet. */
  readonly streamCreationTimeout?: number;
}

type Accept = (stream: SpdyStream) => boolean;

interface Pair {
  readonly streams: { data?: SpdyStream; error?: SpdyStream };
  readonly timer: NodeJS.Timeout;
}

const defaultTimeout = 30_000;

export async function serveSpdyPortForward(
  upgrade: UpgradeRequest,
  dial: DialPort,
  timing: PortForwardTiming,
): Promise<void> {
  const spdy = upgradeToSpdy(upgrade, ['portforward.k8s.io']);
  if (spdy !== undefined) await forwardUntilClosed(spdy.start, dial, timing);
}

/** Serves a connection that is already upgraded: SPDY inside a WebSocket. */
export function serveTunnel(transport: Duplex, dial: DialPort, timing: PortForwardTiming): Promise<void> {
  return forwardUntilClosed((accept) => new SpdySession(transport, { role: 'server', accept }), dial, timing);
}

async function forwardUntilClosed(
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
