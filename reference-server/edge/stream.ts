// Streams the response of a node or a backend, as fast as the client reads.
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Answer } from '../request.js';

type Streamed = Extract<Answer, { stream: unknown }>;

/**
 * Streams bytes until they end. A broken source breaks the connection, because a stream cannot report an error. The
 * source ends when the client disconnects.
 */
export async function sendStream(
  response: ServerResponse,
  { status, reason, headers, stream }: Streamed,
): Promise<void> {
  const list = headers.flat();
  // A header of the backend takes precedence.
  if (!headers.some(([name]) => name.toLowerCase() === 'cache-control')) {
    list.push('Cache-Control', 'no-cache, private');
  }
  response.writeHead(status, reason ?? STATUS_CODES[status] ?? '', list);
  // Sends the head at once, with each character as a byte: flushHeaders would write UTF-8.
  response.write(Buffer.alloc(0));
  await pipeline(stream, response).catch(() => response.destroy());
}
