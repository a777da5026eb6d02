// The way into a WebSocket: the subprotocol is the first of the client's that is known here.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { asksFor, refuse, tokens } from './upgrade.js';

/** Bytes of one message: what a kubelet takes. */
const maxPayload = 32 * 1024 * 1024;
const pingInterval = 10_000;
/** Milliseconds that a closed WebSocket waits for the client's own goodbye. */
const closeTimeout = 5_000;

export interface WebSocketUpgrade<Protocol extends string> {
  /** Undefined: the client offered none. */
  readonly protocol: Protocol | undefined;
  readonly webSocket: WebSocket;
}

export const isWebSocketRequest = (request: IncomingMessage): boolean => asksFor(request, 'websocket');

/**
 * Negotiates and answers 101. Undefined where the request was refused: 403 where no offered subprotocol is known, as a
 * kubelet answers, 400 or 405 where it is no WebSocket handshake.
 */
export async function upgradeToWebSocket<Protocol extends string>(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  known: readonly Protocol[],
): Promise<WebSocketUpgrade<Protocol> | undefined> {
  const offered = tokens(request.headers['sec-websocket-protocol']);
  const protocol = offered.map((name) => known.find((each) => each === name)).find((name) => name !== undefined);
  if (offered.length > 0 && protocol === undefined) {
    refuse(socket, 403, `unable to upgrade: no subprotocol is known; the server accepts ${known.join(', ')}`);
    return undefined;
  }
  if (request.method !== 'GET') {
    refuse(socket, 405, 'unable to upgrade: a WebSocket starts with a GET request', ['Allow: GET']);
    return undefined;
  }
  const webSocket = await shakeHands(request, socket, head, protocol);
  if (webSocket === undefined) return undefined;
  keepAlive(webSocket);
  return { protocol, webSocket };
}

/**
 * The package knows subprotocols only whose names are tokens, and `SPDY/3.1+portforward.k8s.io` is none: so it does not
 * see what was offered, and the answer is added to its headers.
 */
function shakeHands(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  protocol: string | undefined,
): Promise<WebSocket | undefined> {
  const { 'sec-websocket-protocol': _offered, ...headers } = request.headers;
  const handshake: IncomingMessage = Object.create(request, { headers: { value: headers } });
  const limits = { maxPayload, closeTimeout };
  const server = new WebSocketServer({ ...limits, noServer: true, clientTracking: false, perMessageDeflate: false });
  return new Promise((resolve) => {
    server.on('headers', (answer) => {
      if (protocol !== undefined) answer.push(`Sec-WebSocket-Protocol: ${protocol}`);
    });
    server.on('wsClientError', (error, client) => {
      refuse(client, 400, `unable to upgrade: ${error.message}`);
      resolve(undefined);
    });
    socket.once('close', () => resolve(undefined));
    server.handleUpgrade(handshake, socket, head, resolve);
  });
}

/** Pings, because writing is what finds a client that has vanished. A fault of the client closes the connection. */
function keepAlive(webSocket: WebSocket): void {
  const pings = setInterval(() => webSocket.ping(), pingInterval).unref();
  webSocket.on('close', () => clearInterval(pings));
  webSocket.on('error', () => webSocket.terminate());
}
