// What the server itself reads from the servers of other APIs: within a time, and not more than so many bytes.
import type { ConnectionOptions } from 'node:tls';
import type { Sender } from '../../registry/admission.js';
import { ask, textOf } from '../../remote/exchange.js';
import type { Destination } from '../webhooks/serviceAddress.js';
import { senderHeaders } from './frontProxy.js';

/** The bytes of an answer. */
const mostBytes = 4 * 1024 * 1024;

interface Call {
  readonly path: string;
  readonly sender: Sender;
  readonly tls: ConnectionOptions;
  readonly signal: AbortSignal;
  /** The tag of the last answer. */
  readonly tag?: string | undefined;
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly tag?: string;
}

/** Reads JSON. Throws if there is no whole answer. */
export async function readFrom({ address, dialer }: Destination, call: Call): Promise<Reply> {
  const { path, sender, tls, signal, tag } = call;
  const headers: Record<string, string[]> = { accept: ['application/json'] };
  if (tag !== undefined) headers['if-none-match'] = [tag];
  for (const [name, value] of senderHeaders(sender)) headers[name] = [...(headers[name] ?? []), value];
  const socket = await dialer.dial({ ...address, tls }, signal);
  try {
    const host = `${address.host}:${address.port}`;
    const response = await ask(socket, { method: 'GET', host, path, headers, signal });
    const { statusCode: status = 0, headers: received } = response;
    const text = await textOf(response, mostBytes);
    return { status, text, ...(received.etag !== undefined && { tag: received.etag }) };
  } finally {
    socket.destroy();
  }
}
