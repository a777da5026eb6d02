// A server with echoing handlers and a raw HTTP client, for tests of the pipeline.
import { once } from 'node:events';
import { Agent, request as httpsRequest } from 'node:https';
import { connect, createSecureContext, type TLSSocket } from 'node:tls';
import { type Verb, verbs } from '../../matrix/api/index.js';
import type { ApiObject, Encodable } from '../codecs/codec.js';
import type { Answer, ApiRequest, Handler } from '../request.js';
import type { ServerOptions } from '../server.js';
import { type RunningServer, startServer } from '../server.js';

const encodable = (object: ApiObject): Encodable => ({
  encode: (codec, pretty) => codec.encode(object, pretty),
});

/** Responds with the request. */
const echo =
  (verb: Verb): Handler =>
  (request) => ({
    status: 200,
    body: encodable({
      kind: 'Echo',
      verb,
      operation: request.operation.id,
      path: { ...request.path },
      user: { ...request.user },
      stream: request.negotiated.stream,
      ...(request.body === undefined ? {} : { body: { ...request.body } }),
    }),
  });

/** Ends with the request, or fails after the given events. */
export const watching =
  (events: readonly ApiObject[], error?: Error): Handler =>
  ({ signal }: ApiRequest): Answer => ({
    status: 200,
    watch: async (sink) => {
      sink.write(events.map((object) => ({ type: 'ADDED' as const, object: encodable(object) })));
      if (error !== undefined) throw error;
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });

/** Starts a server on a free port with echoing handlers, some of them replaced. */
export function startStandIn(
  replaced: Partial<Record<Verb, Handler>> = {},
  options: ServerOptions = {},
): Promise<RunningServer> {
  const names = Object.keys(verbs) as Verb[];
  const handlers = Object.fromEntries(names.map((verb) => [verb, replaced[verb] ?? echo(verb)])) as Record<
    Verb,
    Handler
  >;
  return startServer({ ...options, handlers });
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
  readonly anonymous?: boolean;
}

/** Each request has a connection of its own. To read the certificates once, and to resume a session, is half of its cost. */
const agents = new WeakMap<RunningServer, Agent>();

function agentOf(server: RunningServer): Agent {
  const known = agents.get(server);
  if (known !== undefined) return known;
  const agent = new Agent({ secureContext: createSecureContext({ ca: server.caCertificate }) });
  agents.set(server, agent);
  return agent;
}

/** Sends one request, with the server's own token by default. */
export function ask(
  server: RunningServer,
  path: string,
  { method = 'GET', headers, body, anonymous }: Ask = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest({
      host: '127.0.0.1',
      port: server.port,
      agent: agentOf(server),
      method,
      path,
      headers: {
        ...(anonymous === true || server.token === undefined ? {} : { Authorization: `Bearer ${server.token}` }),
        ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() });
      });
    });
    request.end(body);
  });
}

/** Opens a TLS connection. */
export function dial(server: RunningServer): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: server.port, ca: server.caCertificate }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends bytes and reads until the server closes the connection, or until `enough` returns true. */
export async function exchange(
  server: RunningServer,
  bytes: string | readonly string[],
  enough: (text: string) => boolean = () => false,
): Promise<string> {
  const socket = await dial(server);
  socket.on('error', () => {});
  let text = '';
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (enough(text)) resolve();
    });
  });
  for (const part of typeof bytes === 'string' ? [bytes] : bytes) {
    if (socket.destroyed) break;
    if (!socket.write(part, 'latin1')) await Promise.race([ended, once(socket, 'drain').catch(() => {})]);
  }
  await ended;
  socket.destroy();
  return text;
}
