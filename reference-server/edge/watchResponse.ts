// Writes a watch to a response, batch by batch.
import type { ServerResponse } from 'node:http';
import type { WatchEvent, WatchSink, WatchStream } from '../watch/sink.js';
import { Backlog, type BacklogLimits, defaultLimits } from './backlog.js';
import { chunkOf, errorEvent, framesOf, type StreamCodec } from './frames.js';

/**
 * Streams the events of a watch until it ends; an error becomes an ERROR event. The head is sent at once, so that
 * clients see the start of a watch without events.
 */
export async function sendWatch(
  response: ServerResponse,
  watch: WatchStream,
  codec: StreamCodec,
  limits: BacklogLimits = defaultLimits,
): Promise<void> {
  response.flushHeaders();
  const sink = new ResponseSink(response, codec, limits);
  try {
    await watch(sink);
  } catch (error) {
    sink.write([errorEvent(error)]);
  }
  response.end();
  await sink.drained();
}

class ResponseSink implements WatchSink {
  readonly #response: ServerResponse;
  readonly #codec: StreamCodec;
  readonly #backlog: Backlog;
  readonly #takesChunks: boolean;

  constructor(response: ServerResponse, codec: StreamCodec, limits: BacklogLimits) {
    this.#response = response;
    this.#codec = codec;
    this.#backlog = new Backlog(response.socket ?? response, limits);
    // A pipelined response has no socket before its turn.
    this.#takesChunks = response.chunkedEncoding && response.socket !== null;
  }

  write(events: readonly WatchEvent[]): boolean {
    const { socket } = this.#response;
    if (this.#takesChunks) {
      // Chunks are encoded once for all watches and written directly to the socket: the response would copy them.
      if (socket?.writable) socket.write(chunkOf(events, this.#codec));
    } else if (!this.#response.destroyed) this.#response.write(framesOf(events, this.#codec));
    return this.#backlog.hasRoom;
  }

  drained(): Promise<void> {
    return this.#backlog.drained();
  }
}
