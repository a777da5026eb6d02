// A client of an API server: JSON objects in and out, and streams of lines.
import { Pool } from 'undici';

/** How to reach an API server, and as whom. Certificates and keys are PEM. */
export interface ApiAccess {
  readonly url: string;
  /** What signed the server's certificate; the system's authorities where it is absent. */
  readonly ca?: string;
  readonly token?: string;
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

const requestTimeout = 30_000;
const maxMessage = 500;

/** Rejects with ApiError where the server refuses, and with the connection's error where there is no answer. */
export class ApiClient {
  readonly #requests: Pool;
  /** Streams last, so they do not take the connections of the requests. */
  readonly #streams: Pool;
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url, ca, token, clientCertificate }: ApiAccess) {
    const { origin, pathname } = new URL(url);
    const connect = {
      ...(ca === undefined ? {} : { ca }),
      ...(clientCertificate === undefined ? {} : { cert: clientCertificate.certificate, key: clientCertificate.key }),
    };
    this.#requests = new Pool(origin, { connect, connections: 8, headersTimeout: requestTimeout });
    this.#streams = new Pool(origin, { connect, bodyTimeout: 0, headersTimeout: requestTimeout });
    this.#base = pathname.replace(/\/$/, '');
    this.#headers = {
      accept: 'application/json',
      'user-agent': 'kube-api-conformance-node-agent',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
  }

  get<Kind>(path: string): Promise<Kind> {
    return this.#send<Kind>('GET', path);
  }

  create<Kind>(path: string, body: unknown): Promise<Kind> {
    return this.#send<Kind>('POST', path, body);
  }

  replace<Kind>(path: string, body: unknown): Promise<Kind> {
    return this.#send<Kind>('PUT', path, body);
  }

  delete(path: string, options: unknown): Promise<unknown> {
    return this.#send('DELETE', path, options);
  }

  /** The lines of an answer that goes on until the signal; a line over 16 MiB ends it. */
  async *lines(path: string, signal: AbortSignal): AsyncGenerator<string, void, void> {
    const headers = this.#headers;
    const { statusCode, body } = await this.#streams.request({
      method: 'GET',
      path: this.#base + path,
      headers,
      signal,
    });
    if (statusCode >= 300) throw errorOf(statusCode, await body.text(), `GET ${path}`);
    let rest = '';
    body.setEncoding('utf8');
    for await (const chunk of body) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > 16_777_216) throw new Error(`GET ${path}: a line is too long`);
      yield* lines;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#requests.destroy(), this.#streams.destroy()]);
  }

  async #send<Kind>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Kind> {
    const answer = await this.#requests.request({
      method,
      path: this.#base + path,
      headers: body === undefined ? this.#headers : { ...this.#headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw errorOf(answer.statusCode, text, `${method} ${path}`);
    return JSON.parse(text) as Kind;
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
