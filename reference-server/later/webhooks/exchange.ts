// One exchange over a connection that is made for it: what the server itself asks others.
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { Socket } from 'node:net';

export interface Question {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Sends a request, and returns the response with its unread body. */
export async function ask(socket: Socket, question: Question): Promise<IncomingMessage> {
  const { method, host, path, headers, body = '', signal } = question;
  const asked = request({ createConnection: () => socket, method, path, headers: { host, ...headers }, signal });
  // The other side may answer before it has read the body.
  asked.on('error', () => socket.destroy());
  const [response] = (await once(asked.end(body), 'response', { signal })) as [IncomingMessage];
  return response;
}

/** Returns the body of a response. Throws if it has more bytes. */
export async function textOf(response: IncomingMessage, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > mostBytes) throw new Error(`an answer of more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
