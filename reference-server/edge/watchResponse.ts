// Writes a watch to a response, batch by batch.
import type { ServerResponse } from 'node:http';
import type { WatchEvent, WatchSink, WatchStream } from '../request.js';
import { Backlog, type BacklogLimits, usualLimits } from './backlog.js';
import { chunkOf, errorEvent, framesOf, type StreamCodec } from './frames.js';

/**
 * Streams the events of a watch until it is over; an error becomes an ERROR event.
 * The head goes out at once, so that a watch without events is seen to have begun.
 */
export async function sendWatch(
  response: ServerResponse,
  watch: WatchStream,
  codec: StreamCodec,
  limits: BacklogLimits = usualLimits,
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
    // A response that still waits for those before it on its connection has no socket yet.
    this.#takesChunks = response.chunkedEncoding && response.socket !== null;
  }

  write(events: readonly WatchEvent[]): boolean {
    const { socket } = this.#response;
    if (this.#takesChunks) {
      // Chunks that are made once go to the socket as they are: the response would copy each for each client.
      if (socket?.writable) socket.write(chunkOf(events, this.#codec));
    } else if (!this.#response.destroyed) this.#response.write(framesOf(events, this.#codec));
    return this.#backlog.hasRoom;
  }

  drained(): Promise<void> {
    return this.#backlog.drained();
  }
}
