// The way into a SPDY session: the stream protocols are negotiated in X-Stream-Protocol-Version.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { SpdySession } from './spdy/session.js';
import type { SpdyStream } from './spdy/stream.js';
import { asksFor, refuse, switchProtocols, tokens } from './upgrade.js';

const transportProtocol = 'SPDY/3.1';

export interface SpdyUpgrade<Protocol extends string> {
  /** Undefined: the client offered none, as the oldest clients do. */
  readonly protocol: Protocol | undefined;
  readonly start: (accept: (stream: SpdyStream) => boolean) => SpdySession;
}

/**
 * Negotiates and answers 101. Undefined where the request was refused, as a kubelet refuses it: 403 with the protocols
 * that are known where the client offers none of them, 400 where it does not ask for SPDY/3.1.
 */
export function upgradeToSpdy<Protocol extends string>(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  known: readonly Protocol[],
): SpdyUpgrade<Protocol> | undefined {
  const offered = tokens(request.headers['x-stream-protocol-version']);
  const protocol = offered.map((name) => known.find((each) => each === name)).find((name) => name !== undefined);
  if (offered.length > 0 && protocol === undefined) {
    const text = `unable to upgrade: unable to negotiate protocol: the server accepts ${known.join(', ')}`;
    refuse(
      socket,
      403,
      text,
      known.map((name) => `X-Accepted-Stream-Protocol-Versions: ${name}`),
    );
    return undefined;
  }
  if (!asksFor(request, transportProtocol)) {
    refuse(socket, 400, `unable to upgrade: the request does not ask for an upgrade to ${transportProtocol}`);
    return undefined;
  }
  switchProtocols(socket, transportProtocol, protocol === undefined ? [] : [`X-Stream-Protocol-Version: ${protocol}`]);
  if (head.length > 0) socket.unshift(head);
  return { protocol, start: (accept) => new SpdySession(socket, { role: 'server', accept }) };
}
