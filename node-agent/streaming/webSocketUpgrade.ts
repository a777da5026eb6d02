// Upgrades to a WebSocket. Sec-WebSocket-Protocol negotiates the subprotocol.
import type { IncomingMessage } from 'node:http';

import { type WebSocket, WebSocketServer } from 'ws';
import { asksFor, negotiate, refuse, tokens, type UpgradeRequest } from './upgrade.js';

/** The most bytes of one message, as in a kubelet. */
const maxPayload = 32 * 1024 * 1024;
/** In milliseconds. */
const pingInterval = 10_000;
/** The time limit for the client's close frame, in milliseconds. */
const closeTimeout = 5_000;

export interface WebSocketUpgrade<Protocol extends string> {
  /** Undefined if the client offered none. */
  readonly protocol: Protocol | undefined;
  readonly webSocket: WebSocket;
}

export const isWebSocketRequest = (request: IncomingMessage): boolean => asksFor(request, 'websocket');

/**
 * Negotiates the subprotocol and sends 101. Returns undefined if the request is refused: with 403 if no offered
 * subprotocol is known, as by a kubelet, and with 400 or 405 if it is not a WebSocket handshake.
 */
export async function upgradeToWebSocket<Protocol extends string>(
  upgrade: UpgradeRequest,
  known: readonly Protocol[],
): Promise<WebSocketUpgrade<Protocol> | undefined> {
  const { request, socket } = upgrade;
  const protocol = negotiate(tokens(request.headers['sec-websocket-protocol']), known);
  if (protocol === 'refused') {
    refuse(socket, 403, `unable to upgrade: no subprotocol is known; the server accepts ${known.join(', ')}`);
    return undefined;
  }
  if (request.method !== 'GET') {
    refuse(socket, 405, 'unable to upgrade: a WebSocket starts with a GET request', ['Allow: GET']);
    return undefined;
  }
  const webSocket = await handshake(upgrade, protocol);
  if (webSocket === undefined) return undefined;
  keepAlive(webSocket);
  return { protocol, webSocket };
}

/**
 * The package `ws` rejects subprotocols that are not tokens, such as `SPDY/3.1+portforward.k8s.io`. So `ws` gets the
 * request without the offered subprotocols, and the negotiated one is added to the response headers.
 */
function handshake(
  { request, socket, head }: UpgradeRequest,
  protocol: string | undefined,
): Promise<WebSocket | undefined> {
  const { 'sec-websocket-protocol': _offered, ...headers } = request.headers;
  const withoutOffer: IncomingMessage = Object.create(request, { headers: { value: headers } });
  const limits = { maxPayload, closeTimeout };
  const server = new WebSocketServer({ ...limits, noServer: true, clientTracking: false, perMessageDeflate: false });
  return new Promise((resolve) => {
    server.on('headers', (response) => {
      if (protocol !== undefined) response.push(`Sec-WebSocket-Protocol: ${protocol}`);
    });
    server.on('wsClientError', (error, client) => {
      refuse(client, 400, `unable to upgrade: ${error.message}`);
      resolve(undefined);
    });
    socket.once('close', () => resolve(undefined));
    server.handleUpgrade(withoutOffer, socket, head, resolve);
  });
}

/** Sends pings, because only a write shows that a client has vanished. A protocol error closes the connection. */
function keepAlive(webSocket: WebSocket): void {
  const pings = setInterval(() => webSocket.ping(), pingInterval).unref();
  webSocket.on('close', () => clearInterval(pings));
  webSocket.on('error', () => webSocket.terminate());
}
