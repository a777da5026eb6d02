// A client of an API server: JSON objects in and out, and streams of lines.
import {
  Agent,
  type AgentOptions,
  type IncomingMessage,
  type RequestOptions,
  request as requestPlain,
} from 'node:http';
import { request as requestTls, Agent as TlsAgent } from 'node:https';
import { text } from 'node:stream/consumers';
import type { ConnectionOptions } from 'node:tls';

/** The address and credentials of an API server. Certificates and keys are PEM. */
export interface ApiAccess {
  readonly url: string;
  /** The CA of the server's certificate, or the certificate itself. The default CAs are those of the system. */
  readonly ca?: string;
  /** A function if the token changes. */
  readonly token?: string | (() => string);
  /** Other settings for the verification of the server's certificate. */
  readonly tls?: Pick<ConnectionOptions, 'servername' | 'checkServerIdentity' | 'rejectUnauthorized'>;
  /** A Unix socket to connect to, instead of the host of the URL. */
  readonly socketPath?: string;
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
}

/** An error response of the server, with the HTTP status. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** Streams use other connections than requests, because they last. */
interface Connections {
  readonly requests: Agent;
  readonly streams: Agent;
}

function connectionsTo({ url, ca, clientCertificate: client, tls: verification }: ApiAccess): Connections {
  const tls = {
    ...verification,
    // As for other clients of Kubernetes, `ca` may be the server's own certificate.
    ...(ca !== undefined && { ca, allowPartialTrustChain: true }),
    ...(client !== undefined && { cert: client.certificate, key: client.key }),
  };
  const isSecure = new URL(url).protocol === 'https:';
  const agent = (options: AgentOptions) => (isSecure ? new TlsAgent({ ...options, ...tls }) : new Agent(options));
  return { requests: agent({ keepAlive: true, maxSockets: 8 }), streams: agent({}) };
}

/** The time limit without a byte, in milliseconds, after which a request fails. */
const requestTimeout = 30_000;
/** The most characters of an ApiError's message. */
const maxMessage = 500;
/** The most characters of a line of a stream. */
const maxLine = 16_777_216;

/**
 * All methods reject with ApiError for an error response, and with the error of the connection otherwise. The client
 * uses node:https, which a server in the same process has already loaded, so that a node starts fast.
 */
export class ApiClient {
  readonly #access: ApiAccess;
  readonly #base: URL;
  readonly #request: typeof requestPlain;
  readonly #connections: Connections;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #token: ApiAccess['token'];
  readonly #socketPath: string | undefined;

  constructor(access: ApiAccess, connections = connectionsTo(access)) {
    const { url, token, socketPath } = access;
    this.#access = access;
    this.#base = new URL(url);
    this.#request = this.#base.protocol === 'https:' ? requestTls : requestPlain;
    this.#socketPath = socketPath;
    this.#token = token;
    this.#connections = connections;
    this.#headers = {
      accept: 'application/json',
      'user-agent': 'kube-api-conformance-node-agent',
    };
  }

  /** Returns a client with another token, and the same connections. */
  as(token: string): ApiClient {
    return new ApiClient({ ...this.#access, token }, this.#connections);
  }

  get<Kind>(path: string): Promise<Kind> {
    return this.#call<Kind>('GET', path);
  }

  create<Kind>(path: string, body: unknown): Promise<Kind> {
    return this.#call<Kind>('POST', path, body);
  }

  replace<Kind>(path: string, body: unknown): Promise<Kind> {
    return this.#call<Kind>('PUT', path, body);
  }

  /** Sends a strategic merge patch. */
  patch(path: string, patch: unknown): Promise<unknown> {
    return this.#call('PATCH', path, patch, 'application/strategic-merge-patch+json');
  }

  delete(path: string, options: unknown): Promise<unknown> {
    return this.#call('DELETE', path, options);
  }

  /**
   * Yields the lines of a response until the signal. Throws ApiError for an error response, and Error for a line over
   * 16 MiB.
   */
  async *lines(path: string, signal: AbortSignal): AsyncGenerator<string, void, void> {
    const response = await this.#send({ method: 'GET', path, agent: this.#connections.streams, signal });
    if (response.statusCode !== 200) throw errorOf(response.statusCode ?? 0, await text(response), `GET ${path}`);
    // A watch may be silent for any time.
    response.setTimeout(0);
    let rest = '';
    response.setEncoding('utf8');
    for await (const chunk of response) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > maxLine) throw new Error(`GET ${path}: a line is too long`);
      yield* lines;
    }
  }

  close(): void {
    this.#connections.requests.destroy();
    this.#connections.streams.destroy();
  }

  async #call<Kind>(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Kind> {
    const sent = body === undefined ? undefined : { text: JSON.stringify(body), type };
    const response = await this.#send({ method, path, agent: this.#connections.requests }, sent);
    const content = await text(response);
    const { statusCode = 0 } = response;
    if (statusCode < 200 || statusCode >= 300) throw errorOf(statusCode, content, `${method} ${path}`);
    return JSON.parse(content) as Kind;
  }

  /** Resolves when the headers of the response have arrived. */
  #send(
    options: RequestOptions & { readonly path: string },
    content?: { readonly text: string; readonly type: string },
  ): Promise<IncomingMessage> {
    const token = typeof this.#token === 'function' ? this.#token() : this.#token;
    const headers = {
      ...this.#headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(content === undefined
        ? {}
        : { 'content-type': content.type, 'content-length': String(Buffer.byteLength(content.text)) }),
    };
    const { hostname, port, pathname } = this.#base;
    const path = pathname.replace(/\/$/, '') + options.path;
    const host = hostname.replace(/^\[|\]$/g, '');
    return new Promise((resolve, reject) => {
      const address = { host, port, ...(this.#socketPath !== undefined && { socketPath: this.#socketPath }) };
      const sent = this.#request({ ...options, ...address, path, headers, timeout: requestTimeout });
      sent.once('response', resolve).on('error', reject);
      sent.once('timeout', () => sent.destroy(new Error(`${options.method} ${options.path}: no answer in time`)));
      sent.end(content?.text);
    });
  }
}

/** True for the error of a response with one of these statuses. */
export const isStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status);

function errorOf(status: number, text: string, call: string): ApiError {
  let [reason, message] = ['', text.slice(0, maxMessage)];
  try {
    const body = JSON.parse(text) as { readonly reason?: unknown; readonly message?: unknown };
    if (typeof body.reason === 'string') reason = body.reason;
    if (typeof body.message === 'string') message = body.message.slice(0, maxMessage);
  } catch {
    // The text is not JSON, so it becomes the message.
  }
  return new ApiError(status, reason, `${call}: ${status}: ${message}`);
}
