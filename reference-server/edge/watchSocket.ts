// Serves a watch over a WebSocket: a message for each event, text or binary, a closing handshake at the end.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket, WebSocketServer } from 'ws';
import { json } from '../codecs/json.js';
import { badRequest } from '../errors.js';
import type { WatchEvent, WatchSink, WatchStream } from '../request.js';
import { Backlog, type BacklogLimits, usualLimits } from './backlog.js';
import { errorEvent, frameOf, type StreamCodec } from './frames.js';
import type { Upgrade } from './listen.js';

/** A client has nothing to say on a watch; what it sends all the same is dropped, message by message. */
const longestMessage = 64 * 1024;

let loaded: Promise<WebSocketServer> | undefined;

/** Loads the library with the first WebSocket: most servers never see one. */
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

/** A browser sends its token as a subprotocol; that one is never answered. */
function isSpoken(protocol: string): boolean {
  return !protocol.startsWith('base64url.bearer.authorization.k8s.io.');
}

/** Whether an Upgrade request wants a WebSocket. */
export function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Completes the handshake, then sends the events of a watch until it is over or the client closes; an error becomes an
 * ERROR event. The one subprotocol that is offered is the one that is spoken: it changes nothing for text.
 * Throws 400 for a handshake that is none.
 */
export async function serveWatchSocket(
  { socket, head }: Upgrade,
  response: ServerResponse,
  watch: WatchStream,
  codec: StreamCodec,
  limits: BacklogLimits = usualLimits,
): Promise<void> {
  const request = response.req;
  checkHandshake(request);
  if (response.socket !== null) response.detachSocket(response.socket);
  const server = await webSockets();
  const webSocket = await new Promise<WebSocket>((resolve) => server.handleUpgrade(request, socket, head, resolve));
  // A client that breaks the protocol is closed by the library; its socket ends the watch.
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
