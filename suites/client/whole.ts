// Sends a request and reads its response whole, within a deadline.
import type { Dispatcher } from 'undici';
import { afterRunning } from './runningTime.js';
import { abortGrace, type Connections, Late, Received } from './transport.js';

/** A response that was read whole, or its head if the body does not matter. */
export interface WholeAnswer {
  readonly statusCode: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly bytes: Buffer;
}

/** A way to send a request; `deadline` is in milliseconds. */
export type Transport = (
  connections: Connections,
  request: Dispatcher.DispatchOptions,
  deadline: number,
  headersOnly?: boolean,
) => Promise<WholeAnswer>;

/** Bytes of one of many exchanges that a slow link carries in a second, and how many times the deadline it may take in all. */
const slowLink = 5_000;
const patience = 4;

/**
 * Sends the request and returns its response. `headersOnly`: closes the connection after the head. Throws Late if the
 * response is not complete in time, and abandons a pool in which the request still waits for a connection. Megabytes
 * extend the deadline: a slow link must carry them.
 */
export function askWhole(
  connections: Connections,
  request: Dispatcher.DispatchOptions,
  deadline: number,
  headersOnly = false,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const body = new Received();
    let head: Omit<WholeAnswer, 'bytes'> | undefined;
    let begun: Dispatcher.DispatchController | undefined;
    let late: Late | undefined;
    const sent = typeof request.body === 'string' || request.body instanceof Uint8Array ? request.body.length : 0;
    const allowed = (): number => {
      const seconds = Math.floor((sent + body.size) / slowLink);
      return Math.min(deadline + seconds * 1000, patience * deadline);
    };
    let waited = allowed();
    const giveUp = (): void => {
      const more = allowed() - waited;
      if (more > 0) {
        waited += more;
        cancel = afterRunning(more, giveUp);
        return;
      }
      late = new Late(waited);
      // Bytes that are read at this moment may keep the connection from telling that it was aborted.
      cancel = afterRunning(abortGrace, abandon);
      begun?.abort(late);
    };
    const abandon = (): void => {
      connections.renew();
      fail(new Late(waited));
    };
    let cancel = afterRunning(waited, giveUp);
    const end = (): void => {
      cancel();
      body.release();
    };
    const fail = (error: unknown): void => {
      end();
      reject(error);
    };
    const complete = (answer: WholeAnswer): void => {
      end();
      resolve(answer);
    };
    // The events of the connection, without a stream between: most responses are one chunk.
    connections.requests.dispatch(
      { ...request, headersTimeout: waited },
      {
        onRequestStart(controller) {
          begun = controller;
          if (late !== undefined) controller.abort(late);
        },
        onResponseStart(controller, statusCode, headers) {
          if (statusCode < 200) return;
          head = { statusCode, headers };
          if (!headersOnly) return;
          complete({ ...head, bytes: Buffer.alloc(0) });
          controller.abort(new Error('only the head matters'));
        },
        onResponseData: (_, chunk) => body.push(chunk),
        onResponseEnd() {
          if (head !== undefined) complete({ ...head, bytes: body.whole() });
        },
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}
