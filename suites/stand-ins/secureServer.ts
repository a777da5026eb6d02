// What all stand-ins share: an HTTPS server that records its calls, can go away and come back, and change certificates.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Identity } from '../fixtures/fixtures.js';

/** Where a stand-in listens and what it shows. */
export interface Settings {
  readonly address: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly identity: Identity;
  /** PEM of the authorities whose clients alone may connect; anybody may where absent. */
  readonly clientCa?: string;
}

/** A call that reached a stand-in. */
export interface ReceivedCall {
  /** ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it came. */
  readonly text: string;
  /** Decoded JSON; absent where it is none. */
  readonly body?: unknown;
  /** Common name of the certificate that the client showed. */
  readonly clientCertificate?: string;
}

/** What becomes of a call: an answer, JSON unless it is a text; silence for ever; a connection that is cut. */
export type Reaction =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'silence'
  | 'reset';

/** What a stand-in answers to a call; `url` is its own. */
export type React = (call: ReceivedCall, url: string) => Reaction;

const bodyLimit = 8 * 1024 * 1024;

/** A stand-in's server. */
export class SecureServer {
  readonly calls: ReceivedCall[] = [];
  /** Why connections ended before they carried a call, such as a client certificate that is missing. */
  readonly refusedHandshakes: string[] = [];
  readonly #server: Server;
  #port = 0;

  private constructor(
    readonly settings: Settings,
    react: React,
  ) {
    const { identity, clientCa } = settings;
    this.#server = createServer(
      {
        cert: identity.certificate,
        key: identity.key,
        ...(clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true }),
      },
      (request, response) => {
        this.#serve(request, response, react).catch(() => request.destroy());
      },
    );
    this.#server.on('tlsClientError', ({ message }) => this.refusedHandshakes.push(message));
  }

  /** Starts listening. Rejects with the error of the socket where the port is taken. */
  static async start(settings: Settings, react: React): Promise<SecureServer> {
    const server = new SecureServer(settings, react);
    await server.#listen(settings.port);
    return server;
  }

  /** `https://address:port`, the same for as long as it lives. */
  get url(): string {
    const { address } = this.settings;
    return `https://${address.includes(':') ? `[${address}]` : address}:${this.#port}`;
  }

  /** Refuses connections, or takes them again on the same port. */
  async setReachable(reachable: boolean): Promise<void> {
    if (reachable === this.#server.listening) return;
    if (reachable) await this.#listen(this.#port);
    else await this.#close();
  }

  /** Shows another certificate from the next connection on; the present ones are closed. */
  show({ certificate, key }: Identity): void {
    const { clientCa } = this.settings;
    this.#server.setSecureContext({ cert: certificate, key, ...(clientCa === undefined ? {} : { ca: clientCa }) });
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.#close();
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, this.settings.address);
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, react: React): Promise<void> {
    const call = await received(request);
    this.calls.push(call);
    const reaction = react(call, this.url);
    if (reaction === 'silence') return;
    if (reaction === 'reset') {
      request.socket.destroy();
      return;
    }
    const { status, body, headers } = reaction;
    const isText = typeof body === 'string' || body === undefined;
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  }
}

async function received(request: IncomingMessage): Promise<ReceivedCall> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw new Error(`the body is larger than ${bodyLimit} bytes`);
    chunks.push(chunk);
  }
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
  const text = Buffer.concat(chunks).toString('utf8');
  const subject = (request.socket as TLSSocket).getPeerCertificate().subject?.CN;
  return {
    at: new Date().toISOString(),
    method: request.method ?? '',
    path,
    query,
    headers: request.headers,
    text,
    ...decoded(text),
    ...(subject === undefined ? {} : { clientCertificate: String(subject) }),
  };
}

function decoded(text: string): { readonly body?: unknown } {
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return {};
  }
}
