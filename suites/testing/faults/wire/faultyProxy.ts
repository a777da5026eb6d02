// A proxy between the suite and a good server, which adds one fault.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createSecureServer as createHttp2Server, type Http2Session } from 'node:http2';
import { createServer as createSecureServer } from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext, type TlsOptions } from 'node:tls';
import type { Dispatcher, Pool } from 'undici';
import { isProtobuf } from '../../../client/decoders.js';
import { eventReader } from '../../../client/streams/sequences.js';
import { readWhole } from '../../../client/transport.js';
import type { CertifiedKey } from '../../../fixtures/fixtures.js';
import type { Broken, ChangeEvent, WireEvent, WireReply, WireRequest } from './fault.js';
import { type Good, Pools } from './pools.js';
import { answerRaw, type ClientEnd, joinUpgraded } from './upgrades.js';

export interface FaultyProxy {
  readonly url: string;
  close(): Promise<void>;
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

/** Why the good server is no longer asked. One for all: the stack of each would cost as much as a short exchange. */
const left = new Error('the client has closed its connection');

const contextOf = ({ certificate, key }: CertifiedKey) => ({ cert: certificate, key });

function namedContext(identity: CertifiedKey | undefined): Pick<TlsOptions, 'SNICallback'> {
  if (identity === undefined) return {};
  const context = createSecureContext(contextOf(identity));
  return { SNICallback: (_, use) => use(null, context) };
}

/**
 * Starts the proxy on a free loopback port. `tls` needs a server with users. With `shared`, uses these connections to the
 * good server and leaves them open.
 */
export async function startFaultyProxy(good: Good, broken: Broken, shared?: Pools): Promise<FaultyProxy> {
  const { users } = good;
  const pools = shared ?? new Pools(good);
  broken.starting?.();
  const listener: RequestListener = (request, response) => {
    // What a client no longer waits for, such as a watch in an unusual spelling, holds no connection to the good server.
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(left);
    });
    answer(pools, broken, request, gone.signal).then(
      (reply) => pass(reply, response, broken),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  };
  const identity = users && broken.tls && (broken.identity?.(users) ?? users.server);
  const server = serverOf(
    identity && { ...contextOf(identity), ...namedContext(broken.namedIdentity?.(users)), ...anyCertificate },
    broken,
    listener,
  );
  const sessions = new Set<Http2Session>();
  server.on('session', (session: Http2Session) => {
    sessions.add(session);
    if (broken.leavesHttp2) session.once('stream', () => session.close());
  });
  // Without this listener, Node.js permits every body.
  if (broken.neverContinues) server.on('checkContinue', listener);
  if (broken.unread !== undefined) server.on('clientError', (_, socket: Duplex) => socket.end(broken.unread));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    connect(pools, broken, { request, socket, head }).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `${identity ? 'https' : 'http'}://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    close: async () => {
      server.closeAllConnections?.();
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
      if (shared === undefined) await pools.destroy();
    },
  };
}

/** Over HTTP/2, requests and responses have the interface of HTTP/1.1. */
function serverOf(tls: TlsOptions | undefined, { http2, singleStreams }: Broken, listener: RequestListener): Server {
  if (tls === undefined) return createServer(listener);
  if (!http2) return createSecureServer(tls, listener);
  const settings = singleStreams ? { maxConcurrentStreams: 1 } : {};
  return createHttp2Server({ ...tls, settings, allowHTTP1: true }, listener as never) as unknown as Server;
}

const anyCertificate = { requestCert: true, rejectUnauthorized: false };

async function answer(
  pools: Pools,
  broken: Broken,
  incoming: IncomingMessage,
  signal: AbortSignal,
): Promise<Streaming> {
  const bytes = await readWhole(incoming);
  const request = requestOf(pools, incoming, bytes.toString(encodingOf(incoming.headers)));
  const changed = await pools.changed(broken, request);
  const answered =
    'status' in changed
      ? changed
      : await forward(pools.showing(changed.certificate), changed, bodyOf(changed, request, bytes), signal);
  if (broken.delay !== undefined) await pause(broken.delay(request));
  const replied: Streaming = broken.reply?.(answered, request) ?? answered;
  return broken.watch === undefined ? replied : { ...replied, change: broken.watch(request) };
}

/** Returns the encoding of a body as text: in protobuf and in logs one character is one byte. */
function encodingOf({ 'content-type': type }: { readonly 'content-type'?: string | undefined }): 'latin1' | 'utf8' {
  return isProtobuf(type) || /^(text\/plain|application\/octet-stream)/.test(type ?? '') ? 'latin1' : 'utf8';
}

const bytesIn = ({ headers, body }: Pick<WireRequest, 'headers' | 'body'>): Buffer =>
  Buffer.from(body, encodingOf(headers));

/** Returns the body to send: an unchanged body is passed on byte for byte. */
const bodyOf = (changed: WireRequest, request: WireRequest, bytes: Buffer): Buffer =>
  changed.body === request.body ? bytes : bytesIn(changed);

function requestOf(pools: Pools, request: IncomingMessage, body: string): WireRequest {
  const { method = '', url = '', headersDistinct, socket, httpVersion: version } = request;
  const several = Object.entries(headersDistinct ?? {}).filter(([name]) => isApart(name));
  const headers = { ...request.headers, ...Object.fromEntries(several) };
  const authorizations = headersDistinct?.authorization ?? [];
  const isChunked = headers['transfer-encoding'] !== undefined;
  const shown = { ...pools.shownOn(socket), port: socket.remotePort ?? 0 };
  return { method, path: url, headers: plain(headers), body, authorizations, isChunked, version, ...shown };
}

/** Joins a connection for an upgrade to a connection with the good server, or replies as the fault requires. */
async function connect(pools: Pools, broken: Broken, client: ClientEnd): Promise<void> {
  // A client may close the connection at any time.
  client.socket.on('error', () => undefined);
  const begun = requestOf(pools, client.request, '');
  const { connection = '' } = client.request.headers;
  const changed = await pools.changed(broken, { ...begun, headers: { ...begun.headers, connection } });
  if ('status' in changed) answerRaw(client.socket, changed);
  else await joinUpgraded(client, pools.backend(changed.certificate), changed, broken);
}

/** A reply whose body may be a stream: the body of a watch is passed on as it arrives. */
interface Streaming extends WireReply {
  readonly stream?: Readable;
  readonly change?: ChangeEvent;
}

async function forward(
  pool: Pool,
  { method, path, headers: all }: WireRequest,
  body: Buffer,
  signal: AbortSignal,
): Promise<Streaming> {
  const { expect: _, ...passed } = all;
  const headers = { ...passed, ...apart(passed) };
  const answer = await pool.request({
    method: method as Dispatcher.HttpMethod,
    path,
    headers,
    body: body.length === 0 ? null : body,
    signal,
  });
  const start = { status: answer.statusCode, headers: plain(answer.headers) };
  if (!isStream(path) || answer.statusCode !== 200) {
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    return { ...start, body: bytes.toString(encodingOf(start.headers)) };
  }
  return { ...start, body: '', stream: answer.body };
}

const isStream = (path: string): boolean => path.includes('/watch/') || /[?&](watch|follow)=(true|1)\b/.test(path);

function pass(
  { status, headers, body, bytes, stream, change }: Streaming,
  response: ServerResponse,
  { holdsHead, neverEnds, answersHeadWhole }: Broken,
): void {
  response.writeHead(status, { ...headers, ...apart(headers) });
  // Node.js sends no body after a HEAD.
  if (answersHeadWhole && response.req.method === 'HEAD') {
    response.flushHeaders();
    response.socket?.end(body);
  } else if (stream === undefined) response.end(bytes ?? bytesIn({ headers, body }));
  else {
    if (!holdsHead) response.flushHeaders();
    // If the client closes a watch, this end closes too, which is no error.
    stream.on('error', () => undefined);
    response.on('close', () => stream.destroy());
    if (change === undefined) stream.pipe(response, { end: !neverEnds });
    else pour(stream, headers, response, change).catch(() => response.destroy());
  }
}

function plain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/);
  const isOfHop = (name: string) =>
    hopByHop.has(name) || name.startsWith(':') || (name !== 'upgrade' && named.includes(name));
  const entries = Object.entries(headers).filter(([name, value]) => value !== undefined && !isOfHop(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isApart(name) ? [value].flat().join('\n') : String(value)]),
  );
}

/** Headers whose values cannot be joined by commas. In a WireRequest and a WireReply each value is a line. */
const isApart = (name: string): boolean => name === 'set-cookie' || name.startsWith('impersonate-');

/** Returns these headers with their values apart. */
const apart = (headers: WireReply['headers']): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (isApart(name) ? [[name, value.split('\n')]] : [])),
  );

/** Passes a watch on, event by event, until it ends or the client closes it. */
async function pour(
  stream: Readable,
  headers: WireReply['headers'],
  response: ServerResponse,
  change: ChangeEvent,
): Promise<void> {
  const send = async (event: WireEvent | undefined): Promise<void> => {
    for (const body of await change(event)) response.write(bytesIn({ headers, body }));
  };
  for await (const event of eventsIn(stream, headers)) await send(event);
  await send(undefined);
  response.end();
}

async function* eventsIn(stream: Readable, headers: WireReply['headers']): AsyncGenerator<WireEvent> {
  const { sequence, decode } = eventReader(headers['content-type']);
  for await (const chunk of stream) for (const { bytes } of sequence.push(chunk)) yield decode(bytes) as WireEvent;
}
