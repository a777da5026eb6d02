// WebSockets that the server itself speaks: their handshake. The node speaks those of exec, attach and port-forward.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { badRequest } from '../errors.js';
import type { Upgrade } from './locals.js';

/** The longest message of a client, in bytes. Clients have nothing to say, so their messages are dropped. */
const longestMessage = 64 * 1024;

/** The code of a closing handshake after all that there was to send. */
export const normalClosure = 1000;

/** Reports whether an Upgrade request asks for a WebSocket. */
export function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** Returns the subprotocols that a client offers, but the one that carries the token of a browser. */
export const offeredProtocols = ({ headers }: IncomingMessage): readonly string[] =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '' && !protocol.startsWith('base64url.bearer.authorization.k8s.io.'));

/** Throws 400 for an invalid handshake. */
export function checkHandshake({ headers }: IncomingMessage): void {
  const version = headers['sec-websocket-version'];
  if (version !== '13' && version !== '8') throw badRequest('missing or bad WebSocket version');
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? ''))
    throw badRequest('missing or bad WebSocket key');
}

/** Completes a handshake that has been checked, with a subprotocol, or without one if it is undefined. */
export async function acceptWebSocket(
  { socket, head }: Upgrade,
  response: ServerResponse,
  protocol: string | undefined,
): Promise<WebSocket> {
  if (response.socket !== null) response.detachSocket(response.socket);
  // Loaded on first use: most servers need no WebSockets.
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: longestMessage,
    handleProtocols: () => protocol ?? false,
  });
  const webSocket = await new Promise<WebSocket>((resolve) => {
    server.handleUpgrade(response.req, socket, head, resolve);
  });
  // The library closes a connection that violates the protocol, and the closed socket ends what is sent.
  webSocket.on('error', () => {});
  return webSocket;
}
