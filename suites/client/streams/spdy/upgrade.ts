// Asks a server to upgrade a connection to SPDY/3.1.
import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { SentHeaders } from '../../calls.js';
import { FrameLog } from '../../evidence/writer.js';
import { afterRunning } from '../../runningTime.js';
import { Late, readWhole, type TlsOptions } from '../../transport.js';
import { SpdySession } from './session.js';

export interface SpdyUpgrade {
  readonly method: string;
  readonly url: string;
  readonly headers: SentHeaders;
  /** The versions of the stream protocol, in the order of preference. */
  readonly protocols: readonly string[];
  readonly tls: TlsOptions;
  /** The time of the request, as returned by `Date.now()`. */
  readonly started: number;
  /** Milliseconds that the response may take. */
  readonly deadline: number;
}

/** The response: a session with the log of its frames, or another response with its body. */
export type SpdyAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders } & (
  | { readonly session: SpdySession; readonly log: FrameLog }
  | { readonly body: Buffer }
);

/** Rejects if no response arrived in time. */
export function upgradeToSpdy(asked: SpdyUpgrade): Promise<SpdyAnswer> {
  const { method, url, protocols, tls, started, deadline } = asked;
  const headers = {
    ...asked.headers,
    connection: 'Upgrade',
    upgrade: 'SPDY/3.1',
    ...(protocols.length === 0 ? {} : { 'x-stream-protocol-version': [...protocols] }),
  };
  const open = url.startsWith('https:') ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = open(url, {
      ...tls,
      method,
      headers,
      ...(tls.createConnection === undefined && { agent: false }),
    });
    const cancel = afterRunning(deadline, () => request.destroy(new Late(deadline)));
    request.once('close', cancel);
    // errors after the first have no effect
    request.on('error', reject);
    request.once('upgrade', ({ statusCode: status = 0, headers }, socket, head) => {
      cancel();
      if (head.length > 0) socket.unshift(head);
      const log = new FrameLog(started);
      resolve({ status, headers, session: new SpdySession(socket, log), log });
    });
    request.once('response', (response: IncomingMessage) => {
      const { statusCode: status = 0, headers } = response;
      readWhole(response, deadline)
        .then((body) => resolve({ status, headers, body }), reject)
        .finally(() => request.destroy());
    });
    request.end();
  });
}
