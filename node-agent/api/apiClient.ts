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

/** How to reach an API server, and as whom. Certificates and keys are PEM. */
export interface ApiAccess {
  readonly url: string;
  /** What signed the server's certificate, or that certificate itself; the system's authorities where it is absent. */
  readonly ca?: string;
  /** A function where it changes. */
  readonly token?: string | (() => string);
  /** How its certificate is verified beside that. */
  readonly tls?: Pick<ConnectionOptions, 'servername' | 'checkServerIdentity' | 'rejectUnauthorized'>;
  /** The Unix socket that leads to it; the host of its URL is dialled where this is absent. */
  readonly socketPath?: string;
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
}

/** What every object has. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Metadata;
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly deletionTimestamp?: string;
  /** Seconds. */
  readonly deletionGracePeriodSeconds?: number;
}

/** The server refused. `status` is the HTTP status. */
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

/** Milliseconds without a byte, after which a request is given up. */
const requestTimeout = 30_000;
const maxMessage = 500;

/**
 * Rejects with ApiError where the server refuses, and with the connection's error where there is no answer. It is
 * built on node:https, which a server in the same process has loaded already: a node has to cost little to start.
 */
export class ApiClient {
  readonly #base: URL;
  readonly #request: typeof requestPlain;
  readonly #requests: Agent;
  /** Streams last, so they do not take the connections of the requests. */
  readonly #streams: Agent;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #token: ApiAccess['token'];
  readonly #socketPath: string | undefined;

  constructor({ url, ca, token, clientCertificate: client, tls: verification, socketPath }: ApiAccess) {
    this.#base = new URL(url);
    const secure = this.#base.protocol === 'https:';
    this.#request = secure ? requestTls : requestPlain;
    this.#socketPath = socketPath;
    this.#token = token;
    const tls = {
      ...verification,
      // a server's own certificate may stand for who signed it, as for other clients of Kubernetes
      ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
      ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
    };
    const agent = (options: AgentOptions) => (secure ? new TlsAgent({ ...options, ...tls }) : new Agent(options));
    this.#requests = agent({ keepAlive: true, maxSockets: 8 });
    this.#streams = agent({});
    this.#headers = {
      accept: 'application/json',
      'user-agent': 'kube-api-conformance-node-agent',
    };
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

  delete(path: string, options: unknown): Promise<unknown> {
    return this.#call('DELETE', path, options);
  }

  /** The lines of an answer that goes on until the signal; a line over 16 MiB ends it. */
  async *lines(path: string, signal: AbortSignal): AsyncGenerator<string, void, void> {
    const answer = await this.#send({ method: 'GET', path, agent: this.#streams, signal });
    if (answer.statusCode !== 200) throw errorOf(answer.statusCode ?? 0, await text(answer), `GET ${path}`);
    // a watch may say nothing for as long as it is asked for
    answer.setTimeout(0);
    let rest = '';
    answer.setEncoding('utf8');
    for await (const chunk of answer) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > 16_777_216) throw new Error(`GET ${path}: a line is too long`);
      yield* lines;
    }
  }

  /** Ends every connection. */
  close(): void {
    this.#requests.destroy();
    this.#streams.destroy();
  }

  async #call<Kind>(method: string, path: string, body?: unknown): Promise<Kind> {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const answer = await this.#send({ method, path, agent: this.#requests }, content);
    const said = await text(answer);
    const { statusCode = 0 } = answer;
    if (statusCode < 200 || statusCode >= 300) throw errorOf(statusCode, said, `${method} ${path}`);
    return JSON.parse(said) as Kind;
  }

  /** Resolves with the answer, of which the headers are there. */
  #send(options: RequestOptions & { readonly path: string }, content?: string): Promise<IncomingMessage> {
    const token = typeof this.#token === 'function' ? this.#token() : this.#token;
    const headers = {
      ...this.#headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(content === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(content)) }),
    };
    const { hostname, port, pathname } = this.#base;
    const path = pathname.replace(/\/$/, '') + options.path;
    const host = hostname.replace(/^\[|\]$/g, '');
    return new Promise((resolve, reject) => {
      const address = { host, port, ...(this.#socketPath !== undefined && { socketPath: this.#socketPath }) };
      const sent = this.#request({ ...options, ...address, path, headers, timeout: requestTimeout });
      sent.once('response', resolve).on('error', reject);
      sent.once('timeout', () => sent.destroy(new Error(`${options.method} ${options.path}: no answer in time`)));
      sent.end(content);
    });
  }
}

/** Whether an error is the server's refusal with this status. */
export const isStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status);

function errorOf(status: number, text: string, call: string): ApiError {
  let [reason, message] = ['', text.slice(0, maxMessage)];
  try {
    const body = JSON.parse(text) as { readonly reason?: unknown; readonly message?: unknown };
    if (typeof body.reason === 'string') reason = body.reason;
    if (typeof body.message === 'string') message = body.message.slice(0, maxMessage);
  } catch {
    // the text itself is the message
  }
  return new ApiError(status, reason, `${call}: ${status}: ${message}`);
}
