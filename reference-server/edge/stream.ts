// Writes bytes that come from elsewhere, at the client's own speed.
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Answer } from '../request.js';

type Streamed = Extract<Answer, { stream: unknown }>;

/**
 * Streams bytes until they end. A source that breaks off cuts the connection, which is all that a stream can say; a
 * client that is gone ends the source.
 */
export async function sendStream(
  response: ServerResponse,
  { status, reason, headers, stream }: Streamed,
): Promise<void> {
  const list = headers.flat();
  // what somebody else says of it counts
  if (!headers.some(([name]) => name.toLowerCase() === 'cache-control')) {
    list.push('Cache-Control', 'no-cache, private');
  }
  response.writeHead(status, reason ?? STATUS_CODES[status] ?? '', list);
  // the head at once, each character a byte: flushHeaders would write it as UTF-8
  response.write(Buffer.alloc(0));
  await pipeline(stream, response).catch(() => response.destroy());
}
