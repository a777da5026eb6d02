// One exchange with a node, a pod or an endpoint: a request goes there, its answer or its upgraded connection comes back.
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { gatewayTimeout, StatusError, unavailable } from '../errors.js';
import type { Address, Dialer } from './dialer.js';

/** What is sent. `path` is the whole request target; `body` is sent as it comes. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Readable | undefined;
}

/** What came back: an answer whose body is still to be read, or a connection that speaks another protocol now. */
export type Reply =
  | { readonly response: IncomingMessage }
  | { readonly response: IncomingMessage; readonly socket: Socket; readonly head: Uint8Array };

/** How long the other end may be silent before its answer begins, in milliseconds. */
const usualPatience = 30_000;
/** What is below is no status of HTTP. */
const lowestStatus = 100;

/**
 * Asks the other end. Throws 503 where it cannot be reached or breaks off, 504 where it does not begin to answer;
 * the signal ends everything.
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
    // a connection of its own for each: what it is used for is nobody else's business
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
      // reads of the body tell of it
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

/** A body that breaks off breaks the call off; an answer that comes before its end is an answer all the same. */
function send(body: Readable, asked: ReturnType<typeof request>): void {
  body.once('error', (error) => asked.destroy(error));
  body.once('close', () => {
    if (!body.readableEnded) asked.destroy(new Error('the client left before the end of its body'));
  });
  body.pipe(asked);
}
