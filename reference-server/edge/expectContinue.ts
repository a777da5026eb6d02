// Requests with `Expect: 100-continue`: the client waits for permission to send its body.
import type { IncomingMessage, ServerResponse } from 'node:http';

const held = new WeakMap<IncomingMessage, ServerResponse>();

/** Marks a request whose body waits for `sendContinue`. */
export function holdBody(request: IncomingMessage, response: ServerResponse): void {
  held.set(request, response);
}

/** Reports whether the client still waits for permission to send its body. */
export const expectsContinue = (request: IncomingMessage): boolean => held.has(request);

/** Permits the client to send its body, if it waits for permission. */
export function sendContinue(request: IncomingMessage): void {
  held.get(request)?.writeContinue();
  held.delete(request);
}
