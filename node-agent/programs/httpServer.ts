// A program that serves HTTP on ports of its pod until it is stopped.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { openResponse } from '../../matrix/api/pipelined.js';
import { firstOf } from '../../matrix/api/signals.js';
import { makeServerCertificates } from '../../test-certs/index.js';
import { type Process, ProgramError, pause } from '../kernel/process.js';
import { AddressInUse } from '../network/virtualNetwork.js';

/** Answers a request that came to a port. The signal aborts when the program ends, or the client has gone. */
export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  signal: AbortSignal,
) => Promise<void> | void;

export interface ServerPorts {
  readonly plain: readonly number[];
  readonly tls?: readonly number[];
  /** PEM, for the ports with TLS; by default, a certificate that nobody trusts. */
  readonly identity?: { readonly certificate: string; readonly key: string };
}

interface More {
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Called when the program listens. */
  readonly listening?: () => Promise<void>;
}

/** Serves until the signal, whose reason it rejects with. Rejects with ProgramError if a port is in use. */
export async function serveHttp(
  { signal, sandbox }: Process,
  { plain, tls = [], identity }: ServerPorts,
  answer: Answer,
  { upgrade, listening = async () => {} }: More = {},
): Promise<never> {
  const answerOf = (port: number) => (request: IncomingMessage, response: ServerResponse) => {
    sandbox.onRequest(request, response);
    // The answer to a client that has gone needs no more time.
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const done = async () => answer(request, response, port, firstOf(signal, gone.signal));
    done().catch((error: unknown) => {
      // What a client asked for does not fit into a header.
      if (error instanceof TypeError && !response.headersSent) respond(response, `${error.message}\n`, 400);
      else response.destroy();
    });
  };
  const connections = new Set<Duplex>();
  const accept = (server: ReturnType<typeof createServer>) => {
    if (upgrade !== undefined) {
      server.on('upgrade', (request, socket, head) => {
        socket.on('error', () => socket.destroy());
        if (openResponse(socket) === undefined) upgrade(request, socket, head);
        else socket.destroy();
      });
    }
    // A client that has ended its half still gets its answer, as from other servers.
    Object.assign(server, { httpAllowHalfOpen: true });
    return (connection: Duplex) => {
      connections.add(connection);
      connection.once('close', () => connections.delete(connection)).on('error', () => connection.destroy());
      server.emit('connection', connection);
    };
  };
  try {
    for (const port of plain) sandbox.listen(port, signal, accept(createServer(answerOf(port))));
    if (tls.length > 0) {
      const { certificate: cert, key } = identity ?? (await makeServerCertificates(sandbox.hostname)).server;
      const options = { cert, key };
      for (const port of tls) sandbox.listen(port, signal, accept(createTlsServer(options, answerOf(port))));
    }
    await listening();
    await pause(signal);
    throw signal.reason;
  } catch (error) {
    if (error instanceof AddressInUse) throw new ProgramError(error.message);
    throw error;
  } finally {
    for (const connection of connections) connection.destroy();
  }
}

/** Returns the path of a request, and its parameters. A path that is not valid stays as it is. */
export function targetOf({ url = '/' }: IncomingMessage): {
  readonly path: string;
  readonly parameters: URLSearchParams;
} {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const parameters = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  try {
    return { path: decodeURIComponent(path), parameters };
  } catch {
    return { path, parameters };
  }
}

/** The beginning of HTML, by which a server in Go knows it. */
const html = /^\s*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[ >]/i;

/** Ends a response with a text, or with HTML if it begins so. */
export function respond(response: ServerResponse, text: string, status = 200): void {
  const type = html.test(text.slice(0, 512)) ? 'text/html' : 'text/plain';
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(text);
}
