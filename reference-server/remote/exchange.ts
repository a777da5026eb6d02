// One exchange over a connection: what the server itself asks others, such as webhooks and reviewers of tokens.
import { once } from 'node:events';
import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  request,
} from 'node:http';
import type { Socket } from 'node:net';
import { ByteQueue } from '../../matrix/api/byteQueue.js';
import type { Kept, KeptConnections } from './keptConnections.js';

export interface Question {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Sends a request over a connection that is made for it, and returns the response with its unread body. */
export async function ask(socket: Socket, question: Question): Promise<IncomingMessage> {
  const asked = begin({ createConnection: () => socket }, question);
  // The other side may answer before it has read the body.
  asked.on('error', () => socket.destroy());
  return answered(asked, question);
}

/**
 * Sends a request over a kept connection. The other side may have closed it at that moment: what breaks before an answer
 * is sent once more, over a new one.
 */
export async function askOverKept(
  connections: KeptConnections,
  kept: Kept,
  question: Question,
): Promise<IncomingMessage> {
  const asked = begin({ agent: connections, ...kept }, question);
  asked.on('error', () => {});
  try {
    return await answered(asked, question);
  } catch (error) {
    if (!asked.reusedSocket || question.signal.aborted) throw error;
    return ask(await kept.dial(), question);
  }
}

function begin(over: RequestOptions & Partial<Kept>, { method, path, host, headers, signal }: Question): ClientRequest {
  return request({ ...over, method, path, headers: { host, ...headers }, signal });
}

async function answered(asked: ClientRequest, { body = '', signal }: Question): Promise<IncomingMessage> {
  const [response] = (await once(asked.end(body), 'response', { signal })) as [IncomingMessage];
  return response;
}

/** Returns the body of a response. Throws if it has more bytes. */
export async function textOf(response: IncomingMessage, mostBytes: number): Promise<string> {
  const received = new ByteQueue();
  for await (const chunk of response) {
    received.push(chunk);
    if (received.length > mostBytes) throw new Error(`an answer of more than ${mostBytes} bytes`);
  }
  return received.bytes.toString('utf8');
}
