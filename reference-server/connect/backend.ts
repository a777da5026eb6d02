// One exchange with a backend (a node, a pod or an endpoint): a request, and a response or an upgraded connection.
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { gatewayTimeout, unavailable } from '../errors.js';
import { StatusError } from '../statusError.js';
import type { Address, Dialer } from './dialer.js';

/** The request. `path` is the whole request target; `body` is streamed. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Readable | undefined;
}

/** The response with its unread body, or an upgraded connection. */
export type Reply =
  | { readonly response: IncomingMessage }
  | { readonly response: IncomingMessage; readonly socket: Socket; readonly head: Uint8Array };

/** The time limit for the start of a response, in milliseconds. */
const usualPatience = 30_000;
/** Lower numbers are not status codes of HTTP. */
const lowestStatus = 100;

/**
 * Sends a request to a backend. Throws 503 if the backend cannot be reached or breaks the connection, and 504 if its
 * response does not begin in time. The signal ends the exchange.
 */
export async function exchange(
  dialer: Dialer,
  address: Address,
  call: Call,
  signal: AbortSignal,
  patience = usualPatience,
): Promise<Reply> {
  try {
    const socket = await dialer.dial(address, signal);
    return await ask(socket, call, signal, patience);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw unavailable(`error trying to reach ${address.host}:${address.port}: ${(error as Error).message}`);
  }
}

function ask(socket: Socket, call: Call, signal: AbortSignal, patience: number): Promise<Reply> {
  const { method, path, headers, body } = call;
  return new Promise((resolve, reject) => {
    const asked = request({ createConnection: () => socket, method, path, setHost: false, signal });
    // One connection for each request, because it may be upgraded.
    asked.removeHeader('connection');
    asked.setNoDelay(true);
    for (const [name, value] of headers) asked.appendHeader(name, value);
    const late = () => asked.destroy(gatewayTimeout(`no answer within ${patience / 1000} s`));
    socket.setTimeout(patience, late);
    const begun = () => socket.setTimeout(0);
    asked.once('response', (response) => {
      begun();
      const { statusCode = 0 } = response;
      if (statusCode < lowestStatus) {
        asked.destroy(new Error(`the answer has the status ${statusCode}`));
        return;
      }
      // Reads of the body report the same error.
      asked.on('error', () => {});
      resolve({ response });
    });
    asked.once('upgrade', (response, upgraded, head) => {
      begun();
      if (asked.getHeader('upgrade') === undefined) {
        upgraded.destroy();
        reject(new Error('the answer begins another protocol, which nobody asked for'));
        return;
      }
      resolve({ response, socket: upgraded as Socket, head });
    });
    asked.once('error', (error) => {
      socket.destroy();
      reject(error);
    });
    if (body === undefined) asked.end();
    else send(body, asked);
  });
}

/** Streams a body. A broken body ends the call, but a response before the end of the body is accepted. */
function send(body: Readable, asked: ReturnType<typeof request>): void {
  body.once('error', (error) => asked.destroy(error));
  body.once('close', () => {
    if (!body.readableEnded) asked.destroy(new Error('the client left before the end of its body'));
  });
  body.pipe(asked);
}
