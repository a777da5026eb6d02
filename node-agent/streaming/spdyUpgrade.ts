// Upgrades to SPDY. X-Stream-Protocol-Version negotiates the subprotocol.
import { SpdySession } from './spdy/session.js';
import type { SpdyStream } from './spdy/stream.js';
import { asksFor, negotiate, refuse, switchProtocols, tokens, type UpgradeRequest } from './upgrade.js';

const transportProtocol = 'SPDY/3.1';

export interface SpdyUpgrade<Protocol extends string> {
  /** Undefined if the client offered none, like the oldest clients. */
  readonly protocol: Protocol | undefined;
  /** Starts the session. `accept` decides about each stream that the client opens. */
  readonly start: (accept: (stream: SpdyStream) => boolean) => SpdySession;
}

/**
 * Negotiates the subprotocol and sends 101. Returns undefined if the request is refused as by a kubelet: with 403 and
 * the known subprotocols if the client offers only unknown ones, and with 400 if it does not request SPDY/3.1.
 */
export function upgradeToSpdy<Protocol extends string>(
  { request, socket, head }: UpgradeRequest,
  known: readonly Protocol[],
): SpdyUpgrade<Protocol> | undefined {
  const protocol = negotiate(tokens(request.headers['x-stream-protocol-version']), known);
  if (protocol === 'refused') {
    const text = `unable to upgrade: unable to negotiate protocol: the server accepts ${known.join(', ')}`;
    const accepted = known.map((name) => `X-Accepted-Stream-Protocol-Versions: ${name}`);
    refuse(socket, 403, text, accepted);
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
