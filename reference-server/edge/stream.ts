// Writes plain bytes that have no end yet, at the client's own speed.
import type { ServerResponse } from 'node:http';
import { asStatusError } from '../errors.js';

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
