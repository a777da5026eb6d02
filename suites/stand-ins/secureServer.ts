// The common server of all stand-ins: HTTPS with recorded calls, changeable certificates, and simulated outages.

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { defined } from '../../matrix/api/index.js';
import type { CertifiedKey } from '../fixtures/fixtures.js';
import { Recent } from './recent.js';

/** The address and the certificate of a stand-in. */
export interface StandInSettings {
  readonly address: string;
  readonly port: number;
  readonly identity: CertifiedKey;
  /** PEM of the authorities whose clients may connect; all clients may connect when absent. */
  readonly clientCa?: string;
}

export interface ReceivedCall {
  /** The time of the call, in ISO 8601. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The decoded JSON body; absent if the body is not JSON. */
  readonly body?: unknown;
  /** The common name of the client's certificate. */
  readonly clientCertificate?: string;
}

/** The reaction to a call: a response, as JSON unless it is a text; no response; or a closed connection. */
export type Reaction =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'silence'
  | 'reset';

/** Returns the reaction of a stand-in to a call; `url` is the URL of the stand-in. */
export type React = (call: ReceivedCall, url: string) => Reaction;

const bodyLimit = 8 * 1024 * 1024;

export class SecureServer {
  readonly calls = new Recent<ReceivedCall>();
  /** Why connections ended before they carried a call, for example because of a missing client certificate. */
  readonly refusedHandshakes = new Recent<string>();
  readonly #server: Server;
  #port = 0;

  private constructor(
    readonly settings: StandInSettings,
    react: React,
  ) {
    const { identity, clientCa } = settings;
    this.#server = createServer(
      {
        cert: identity.certificate,
        key: identity.key,
        // A server may ask again at the moment when an idle connection would end.
        keepAliveTimeout: 0,
        ...(clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true }),
      },
      (request, response) => {
        this.#serve(request, response, react).catch(() => request.destroy());
      },
    );
    this.#server.on('tlsClientError', ({ message }) => this.refusedHandshakes.add(message, message.length));
  }

  /** Starts the server. Rejects with the error of the socket if the port is in use. */
  static async start(settings: StandInSettings, react: React): Promise<SecureServer> {
    const server = new SecureServer(settings, react);
    await server.#listen(settings.port);
    return server;
  }

  /** `https://address:port`, which does not change. */
  get url(): string {
    const { address } = this.settings;
    return `https://${address.includes(':') ? `[${address}]` : address}:${this.#port}`;
  }

  /** Refuses connections, or accepts them again on the same port. */
  async setReachable(reachable: boolean): Promise<void> {
    if (reachable === this.#server.listening) return;
    if (reachable) await this.#listen(this.#port);
    else await this.#close();
  }

  /** Sets the certificate of later connections, and closes the present ones. */
  show({ certificate, key }: CertifiedKey): void {
    const { clientCa } = this.settings;
    this.#server.setSecureContext({ cert: certificate, key, ...defined({ ca: clientCa }) });
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
    this.calls.add(call, JSON.stringify(call.headers).length + call.text.length);
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
