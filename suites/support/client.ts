// The suite's HTTP client: sends one request, records the exchange, believes nothing of the answer.
import { randomUUID } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { buildConnector, type Dispatcher, errors, Pool } from 'undici';
import type { Mechanism } from '../../matrix/api/index.js';
import type { Credential, Exchange, Header, Target } from '../../matrix/requirements/index.js';
import { decode, mediaTypeOf } from './decoders.js';
import { record } from './evidence.js';
import { at, brief } from './json.js';
import { Redactor } from './redaction.js';

/** A request to the target. `path` starts with a slash and carries its query. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** `none` shows no credentials, a credential that one alone: instead of the target's own. */
  readonly as?: 'none' | Credential;
  /** Ends the exchange once the headers are there: for streams of which only the start matters. */
  readonly headersOnly?: true;
  /** Milliseconds until the exchange is given up; 15,000 when absent. */
  readonly deadline?: number;
}

/** No answer came: the connection failed, broke, or the deadline passed. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** An answer, read whole. */
export class Reply {
  #value: { readonly decoded: unknown } | undefined;

  constructor(
    readonly request: string,
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly bytes: Buffer,
  ) {}

  get mediaType(): string {
    return mediaTypeOf(this.headers['content-type']);
  }

  /** The decoded body; throws where it is malformed. */
  value(): unknown {
    this.#value ??= { decoded: decode(this.headers['content-type'], this.bytes) };
    return this.#value.decoded;
  }

  /** The decoded body, or undefined where it does not decode. */
  tryValue(): unknown {
    try {
      return this.value();
    } catch {
      return undefined;
    }
  }

  /** The message of a Status, or the start of the body. */
  excerpt(): string {
    const message = at(this.tryValue(), 'message');
    if (typeof message === 'string') return brief(message);
    return brief(this.bytes.toString('utf8', 0, 300));
  }
}

const maxAnswer = 64 * 1024 * 1024;

/** Connections that show the same certificate, or none. */
interface Connections {
  readonly pool: Pool;
  /** What the last handshake showed; all of them are made alike. */
  tls?: Exchange['tls'];
}

/** The connections to one target, with its credentials. */
export class Client {
  readonly redactor = new Redactor();
  readonly #connections = new Map<string, Connections>();
  /** What the client's own requests carry. */
  readonly #own: Credential;
  #sink: Exchange[] = [];

  constructor(readonly target: Target) {
    for (const credential of Object.values(target.credentials)) {
      this.redactor.add(credential.token);
      this.redactor.add(credential.password);
      this.redactor.add(credential.key);
    }
    this.#own = ownCredential(target);
  }

  /** The exchanges since the last call of this function; the caller owns them from then on. */
  takeExchanges(): Exchange[] {
    const taken = this.#sink;
    this.#sink = [];
    return taken;
  }

  /** The ids of the exchanges that nobody has taken yet. */
  pendingIds(): string[] {
    return this.#sink.map(({ id }) => id);
  }

  /** Sends a request and reads the answer whole. Throws NoAnswer where none came in time. */
  async send(call: Call): Promise<Reply> {
    const credential = call.as === 'none' ? {} : (call.as ?? this.#own);
    const connections = this.#connectionsOf(credential);
    const headers = headersOf(call, credential);
    const started = Date.now();
    const at = new Date(started).toISOString();
    const noted = (response?: Exchange['response'], error?: string): void => {
      this.#sink.push(
        record(
          this.redactor,
          {
            type: 'exchange',
            id: randomUUID(),
            at,
            milliseconds: Date.now() - started,
            request: { method: call.method, url: this.target.url + call.path, headers: Object.entries(headers) },
            ...(response === undefined ? {} : { response }),
            ...(connections.tls === undefined ? {} : { tls: connections.tls }),
            ...(error === undefined ? {} : { error }),
          },
          call.body,
          reply,
        ),
      );
    };
    let reply: Reply | undefined;
    const deadline = call.deadline ?? 15_000;
    try {
      const answer = await connections.pool.request({
        method: call.method as Dispatcher.HttpMethod,
        path: call.path,
        headers,
        body: call.body ?? null,
        headersTimeout: deadline,
        bodyTimeout: deadline,
        signal: AbortSignal.timeout(deadline),
      });
      const bytes = call.headersOnly ? hangUp(answer.body) : await readWhole(answer.body);
      const received = headerPairs(answer.headers);
      reply = new Reply(`${call.method} ${call.path}`, answer.statusCode, Object.fromEntries(received), bytes);
      noted({ status: answer.statusCode, headers: received });
      return reply;
    } catch (cause) {
      const why = reasonOf(cause, deadline);
      noted(undefined, why);
      throw new NoAnswer(`${call.method} ${call.path}: no answer: ${why}`);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map(({ pool }) => pool.destroy()));
  }

  #connectionsOf({ certificate, key }: Credential): Connections {
    const shown = certificate !== undefined && key !== undefined ? { cert: certificate, key } : {};
    const existing = this.#connections.get(shown.cert ?? '');
    if (existing !== undefined) return existing;
    const { ca, url } = this.target;
    const connect = buildConnector({ timeout: 5_000, ...(ca === undefined ? {} : { ca }), ...shown });
    const made: Connections = {
      pool: new Pool(new URL(url).origin, {
        connections: 8,
        connect: (options, callback) =>
          connect(options, (...outcome) => {
            const [, socket] = outcome;
            if (socket instanceof TLSSocket) made.tls = factsOf(socket);
            callback(...outcome);
          }),
      }),
    };
    this.#connections.set(shown.cert ?? '', made);
    return made;
  }
}

/** A certificate and one credential for the header, as far as the target's own mechanisms have them. */
function ownCredential({ credentials, own }: Target): Credential {
  const of = (mechanism: Mechanism): Credential | undefined =>
    own === undefined || own.includes(mechanism) ? credentials[mechanism] : undefined;
  return {
    ...(of('staticToken') ?? of('serviceAccountToken') ?? of('staticPassword')),
    ...of('clientCertificate'),
  };
}

function headersOf(call: Call, credential: Credential): Record<string, string> {
  const authorization = authorizationOf(credential);
  return {
    ...(authorization === undefined ? {} : { authorization }),
    'user-agent': 'kube-api-conformance',
    ...call.headers,
  };
}

function factsOf(socket: TLSSocket): NonNullable<Exchange['tls']> {
  const own = socket.getCertificate();
  const subject = own !== null && 'subject' in own ? own.subject?.CN : undefined;
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    authorized: socket.authorized,
    ...(subject === undefined ? {} : { clientCertificate: String(subject) }),
  };
}

function authorizationOf(credential: Credential): string | undefined {
  if (credential.token !== undefined) return `Bearer ${credential.token}`;
  if (credential.username === undefined) return undefined;
  return `Basic ${Buffer.from(`${credential.username}:${credential.password ?? ''}`).toString('base64')}`;
}

function hangUp(body: Dispatcher.ResponseData['body']): Buffer {
  body.once('error', () => undefined).destroy();
  return Buffer.alloc(0);
}

async function readWhole(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswer) throw new Error(`the answer is larger than ${maxAnswer} bytes`);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

function headerPairs(headers: Record<string, string | string[] | undefined>): Header[] {
  return Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
}

function reasonOf(cause: unknown, deadline: number): string {
  if (cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError)
    return `nothing came for ${deadline} ms`;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') return `not complete after ${deadline} ms`;
  const code = (cause as { code?: unknown }).code;
  const message = cause instanceof Error ? cause.message : String(cause);
  return typeof code === 'string' && !message.includes(code) ? `${code}: ${message}` : message;
}
