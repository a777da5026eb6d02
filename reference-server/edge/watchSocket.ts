// Serves a watch over a WebSocket: one message for each event, and a closing handshake at the end.
import type { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { json } from '../codecs/json.js';
import { badRequest } from '../errors.js';
import type { WatchEvent, WatchSink, WatchStream } from '../watch/sink.js';
import { Backlog, type BacklogLimits, defaultLimits } from './backlog.js';
import { errorEvent, frameOf, type StreamCodec } from './frames.js';
import type { Upgrade } from './locals.js';
import { acceptWebSocket, checkHandshake, normalClosure, offeredProtocols } from './webSocket.js';

/**
 * Completes the handshake, then sends the events of a watch until it ends or the client closes; an error becomes an
 * ERROR event. Accepts an offered subprotocol, which has no effect. Throws 400 for an invalid handshake.
 */
export async function serveWatchSocket(
  upgrade: Upgrade,
  response: ServerResponse,
  watch: WatchStream,
  codec: StreamCodec,
  limits: BacklogLimits = defaultLimits,
): Promise<void> {
  checkHandshake(response.req);
  const [protocol, ...others] = offeredProtocols(response.req);
  if (others.length > 0 || !/^[!#$%&'*+\-.^_`|~\w]*$/.test(protocol ?? '')) {
    throw badRequest('a watch speaks one WebSocket subprotocol: offer one, or none');
  }
  const webSocket = await acceptWebSocket(upgrade, response, protocol);
  const sink = new SocketSink(webSocket, codec, new Backlog(upgrade.socket, limits));
  try {
    await watch(sink);
  } catch (error) {
    sink.write([errorEvent(error)]);
  }
  webSocket.close(normalClosure);
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
