// Serves a watch over a WebSocket: one message for each event, and a closing handshake at the end.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket, WebSocketServer } from 'ws';
import { json } from '../codecs/json.js';
import { badRequest } from '../errors.js';
import type { WatchEvent, WatchSink, WatchStream } from '../watch/sink.js';
import { Backlog, type BacklogLimits, defaultLimits } from './backlog.js';
import { errorEvent, frameOf, type StreamCodec } from './frames.js';
import type { Upgrade } from './locals.js';

/** The longest message of a client, in bytes. Clients send nothing on a watch, so messages are dropped. */
const longestMessage = 64 * 1024;

let loaded: Promise<WebSocketServer> | undefined;

/** Loads the library on first use: most servers need no WebSockets. */
function webSockets(): Promise<WebSocketServer> {
  loaded ??= import('ws').then(
    (library) =>
      new library.WebSocketServer({
        noServer: true,
        clientTracking: false,
        maxPayload: longestMessage,
        handleProtocols: (offered) => [...offered].find(isSpoken) ?? false,
      }),
  );
  return loaded;
}

/** Reports whether a subprotocol may be accepted: not the one that carries the token of a browser. */
function isSpoken(protocol: string): boolean {
  return !protocol.startsWith('base64url.bearer.authorization.k8s.io.');
}

/** Reports whether an Upgrade request asks for a WebSocket. */
export function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Completes the handshake, then sends the events of a watch until it ends or the client closes; an error becomes an
 * ERROR event. Accepts an offered subprotocol, which has no effect. Throws 400 for an invalid handshake.
 */
export async function serveWatchSocket(
  { socket, head }: Upgrade,
  response: ServerResponse,
  watch: WatchStream,
  codec: StreamCodec,
  limits: BacklogLimits = defaultLimits,
): Promise<void> {
  const request = response.req;
  checkHandshake(request);
  if (response.socket !== null) response.detachSocket(response.socket);
  const server = await webSockets();
  const webSocket = await new Promise<WebSocket>((resolve) => server.handleUpgrade(request, socket, head, resolve));
  // The library closes a connection that violates the protocol, and the closed socket ends the watch.
  webSocket.on('error', () => {});
  const sink = new SocketSink(webSocket, codec, new Backlog(socket, limits));
  try {
    await watch(sink);
  } catch (error) {
    sink.write([errorEvent(error)]);
  }
  webSocket.close(normalClosure);
}

const normalClosure = 1000;

function checkHandshake({ headers }: IncomingMessage): void {
  const version = headers['sec-websocket-version'];
  if (version !== '13' && version !== '8') throw badRequest('missing or bad WebSocket version');
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? ''))
    throw badRequest('missing or bad WebSocket key');
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
  const spoken = offered.filter(isSpoken);
  if (spoken.length > 1 || spoken.some((protocol) => !/^[!#$%&'*+\-.^_`|~\w]*$/.test(protocol))) {
    throw badRequest('a watch speaks one WebSocket subprotocol: offer one, or none');
  }
}

class SocketSink implements WatchSink {
  readonly #webSocket: WebSocket;
  readonly #codec: StreamCodec;
  readonly #backlog: Backlog;

  constructor(webSocket: WebSocket, codec: StreamCodec, backlog: Backlog) {
    this.#webSocket = webSocket;
    this.#codec = codec;
    this.#backlog = backlog;
  }

  write(events: readonly WatchEvent[]): boolean {
    const binary = this.#codec !== json;
    const prefix = this.#codec.framePrefix ?? 0;
    for (const event of events) this.#webSocket.send(frameOf(event, this.#codec).subarray(prefix), { binary });
    return this.#backlog.hasRoom;
  }

  drained(): Promise<void> {
    return this.#backlog.drained();
  }
}
