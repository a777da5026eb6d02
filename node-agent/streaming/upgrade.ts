// Upgrades of HTTP/1.1 to SPDY and to WebSockets: the negotiation of the subprotocol, and refusals like those of a kubelet.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { SpdySession } from './spdy/session.js';
import type { SpdyStream } from './spdy/stream.js';

export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The first bytes after the request. */
  readonly head: Buffer;
}

function asksFor(request: IncomingMessage, protocol: string): boolean {
  return (
    headerTokens(request.headers.connection).some((token) => token.toLowerCase() === 'upgrade') &&
    headerTokens(request.headers.upgrade).some((token) => token.toLowerCase() === protocol.toLowerCase())
  );
}

/** In the client's order. */
export function headerTokens(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  return text
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
}

/**
 * Returns the first offered protocol that is known, undefined if the client offers none, or `refused` if none is known.
 */
function negotiate<Protocol extends string>(
  offered: readonly string[],
  known: readonly Protocol[],
): Protocol | undefined | 'refused' {
  if (offered.length === 0) return undefined;
  return offered.map((name) => known.find((each) => each === name)).find((name) => name !== undefined) ?? 'refused';
}

/** Sends an error response in plain text and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: number, text: string, headers: readonly string[] = []): void {
  const body = Buffer.from(`${text}\n`);
  const fixed = [
    'Content-Type: text/plain; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([responseHead(status, [...headers, ...fixed]), body]));
  // Read and drop later bytes, because a reset of the connection could drop the response.
  socket.resume();
  setTimeout(() => socket.destroy(), 1000).unref();
}

function responseHead(status: number, headers: readonly string[]): Buffer {
  return Buffer.from([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, '', ''].join('\r\n'), 'latin1');
}

const spdyProtocol = 'SPDY/3.1';

interface SpdyUpgrade<Protocol extends string> {
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
  const protocol = negotiate(headerTokens(request.headers['x-stream-protocol-version']), known);
  if (protocol === 'refused') {
    const text = `unable to upgrade: unable to negotiate protocol: the server accepts ${known.join(', ')}`;
    const accepted = known.map((name) => `X-Accepted-Stream-Protocol-Versions: ${name}`);
    refuseUpgrade(socket, 403, text, accepted);
    return undefined;
  }
  if (!asksFor(request, spdyProtocol)) {
    refuseUpgrade(socket, 400, `unable to upgrade: the request does not ask for an upgrade to ${spdyProtocol}`);
    return undefined;
  }
  const chosen = protocol === undefined ? [] : [`X-Stream-Protocol-Version: ${protocol}`];
  socket.write(responseHead(101, ['Connection: Upgrade', `Upgrade: ${spdyProtocol}`, ...chosen]));
  if (head.length > 0) socket.unshift(head);
  return { protocol, start: (accept) => new SpdySession(socket, { role: 'server', accept }) };
}

/** The most bytes of one message, as in a kubelet. */
const maxPayload = 32 * 1024 * 1024;
/** In milliseconds. */
const pingInterval = 10_000;
/** The time limit for the client's close frame, in milliseconds. */
const closeTimeout = 5_000;

interface WebSocketUpgrade<Protocol extends string> {
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
  const protocol = negotiate(headerTokens(request.headers['sec-websocket-protocol']), known);
  if (protocol === 'refused') {
    refuseUpgrade(socket, 403, `unable to upgrade: no subprotocol is known; the server accepts ${known.join(', ')}`);
    return undefined;
  }
  if (request.method !== 'GET') {
    refuseUpgrade(socket, 405, 'unable to upgrade: a WebSocket starts with a GET request', ['Allow: GET']);
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
      refuseUpgrade(client, 400, `unable to upgrade: ${error.message}`);
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
