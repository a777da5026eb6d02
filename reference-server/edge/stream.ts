// Writes answers that have no end yet: watches, event by event, and plain bytes, at the client's own speed.
import type { ServerResponse } from 'node:http';
import type { Codec } from '../codecs/codec.js';
import { asStatusError } from '../errors.js';
import type { WatchEvent } from '../request.js';

/**
 * Streams batches of events until they end, the client is gone or an error ends them.
 * The head goes out at once, so that a watch without events is seen to have begun; an error becomes an ERROR event.
 */
export async function sendWatch(
  response: ServerResponse,
  batches: AsyncIterable<readonly WatchEvent[]>,
  codec: Codec,
  frame: NonNullable<Codec['frame']>,
): Promise<void> {
  response.flushHeaders();
  try {
    for await (const batch of batches) {
      if (response.destroyed) return;
      const frames = batch.map(({ type, object }) => frame.call(codec, type, joined(object.encode(codec, false))));
      if (!response.write(joined(frames))) await drained(response);
    }
  } catch (error) {
    const status = codec.encode(asStatusError(error).toStatus(), false);
    response.write(frame.call(codec, 'ERROR', status));
  }
  response.end();
}

/** Streams bytes until they end; an error cuts the connection, which is all that a plain stream can say. */
export async function sendStream(response: ServerResponse, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  response.flushHeaders();
  try {
    for await (const chunk of chunks) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await drained(response);
    }
    response.end();
  } catch (error) {
    asStatusError(error);
    response.destroy();
  }
}

function joined(parts: Uint8Array | readonly Uint8Array[]): Uint8Array {
  if (parts instanceof Uint8Array) return parts;
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
