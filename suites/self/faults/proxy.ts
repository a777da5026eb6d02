// Stands between the suite and a good server, and breaks it by one fault.
import { X509Certificate } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Duplex, Readable } from 'node:stream';
import { createSecureContext, TLSSocket, type TlsOptions } from 'node:tls';
import { type Dispatcher, Pool } from 'undici';
import type { CertificateName } from '../../fixtures/clientCertificates.js';
import type { Identity } from '../../fixtures/fixtures.js';
import { isProtobuf } from '../../support/decoders.js';
import { decodeEvent } from '../../support/protobuf/envelope.js';
import { FrameSequence } from '../../support/protobuf/frames.js';
import type { ChangeEvent, Fault, Known, Passing, PassingEvent, Returning } from './parts.js';
import { answerRaw, type FarEnd, joinUpgraded, type NearEnd } from './upgraded.js';

/** The proxy: a URL, and its end. */
export interface FaultyProxy {
  readonly url: string;
  close(): Promise<void>;
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

/** A good server: its URL, the PEM of its authority, and what it knows of its users where it was told any. */
interface Good {
  readonly url: string;
  readonly ca: string;
  readonly known?: Known;
}

const contextOf = ({ certificate, key }: Identity) => ({ cert: certificate, key });

function namedContext(identity: Identity | undefined): Pick<TlsOptions, 'SNICallback'> {
  if (identity === undefined) return {};
  const context = createSecureContext(contextOf(identity));
  return { SNICallback: (_, use) => use(null, context) };
}

/** Starts the proxy on a free loopback port. A fault with `tls` needs a server that knows its users. */
export async function startFaultyProxy(good: Good, fault: Fault): Promise<FaultyProxy> {
  const { known } = good;
  const pools = new Pools(good);
  const listener: RequestListener = (request, response) => {
    answer(pools, fault, request).then(
      (returning) => pass(returning, response, fault),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  };
  const identity = known && fault.tls && (fault.identity?.(known) ?? known.server);
  const server = identity
    ? createSecureServer(
        { ...contextOf(identity), ...namedContext(fault.namedIdentity?.(known)), ...anyCertificate },
        listener,
      )
    : createServer(listener);
  if (fault.unread !== undefined) server.on('clientError', (_, socket: Duplex) => socket.end(fault.unread));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    connect(pools, fault, { request, socket, head }).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `${identity ? 'https' : 'http'}://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pools.destroy();
    },
  };
}

const anyCertificate = { requestCert: true, rejectUnauthorized: false };

/** Connections to the good server, by the certificate that they show. */
class Pools {
  readonly #pools = new Map<CertificateName | undefined, Pool>();
  readonly #names: ReadonlyMap<string, CertificateName>;

  constructor(readonly good: Good) {
    const certificates = Object.entries(good.known?.fixtures.clientCertificates ?? {});
    this.#names = new Map(
      certificates.map(([name, { certificate }]) => [
        new X509Certificate(certificate).fingerprint256,
        name as CertificateName,
      ]),
    );
  }

  /** Those that show the certificate of this name, or none. */
  showing(name: CertificateName | undefined): Pool {
    const { url, tls } = this.farEnd(name);
    const pool = this.#pools.get(name) ?? new Pool(url, { connect: tls, connections: 16 });
    this.#pools.set(name, pool);
    return pool;
  }

  /** The good server, for a connection of its own that shows it the certificate. */
  farEnd(name: CertificateName | undefined): FarEnd {
    const { url, ca, known } = this.good;
    const shown = name && known?.fixtures.clientCertificates[name];
    return { url, tls: { ca, ...(shown && { cert: shown.certificate, key: shown.key }) } };
  }

  /** What the handshake of a connection to the proxy showed. */
  shownOn(socket: Socket): Pick<Passing, 'certificate' | 'resumed'> {
    if (!(socket instanceof TLSSocket)) return { resumed: false };
    const certificate = this.#names.get(socket.getPeerCertificate()?.fingerprint256 ?? '');
    return { certificate, resumed: socket.isSessionReused() };
  }

  /** What becomes of a request by the fault. */
  changed(fault: Fault, passing: Passing): Passing | Returning {
    // only servers of the fixtures have faults that look at them
    return fault.request?.(passing, this.good.known as Known) ?? passing;
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }
}

async function answer(pools: Pools, fault: Fault, request: IncomingMessage): Promise<Streaming> {
  const bytes = await bytesOf(request);
  const passing = passingOf(pools, request, bytes.toString(encodingOf(request.headers)));
  const changed = pools.changed(fault, passing);
  const returning =
    'status' in changed
      ? changed
      : await forward(pools.showing(changed.certificate), changed, bodyOf(changed, passing, bytes));
  const replied: Streaming = fault.reply?.(returning, passing) ?? returning;
  return fault.watch === undefined ? replied : { ...replied, change: fault.watch(passing) };
}

/** How the bytes of a body are text, and become bytes again: those of protobuf and of logs each for itself. */
function encodingOf({ 'content-type': type }: { readonly 'content-type'?: string | undefined }): 'latin1' | 'utf8' {
  return isProtobuf(type) || /^(text\/plain|application\/octet-stream)/.test(type ?? '') ? 'latin1' : 'utf8';
}

const bytesIn = ({ headers, body }: Pick<Passing, 'headers' | 'body'>): Buffer =>
  Buffer.from(body, encodingOf(headers));

/** A body that nothing changed goes on byte for byte. */
const bodyOf = (changed: Passing, passing: Passing, bytes: Buffer): Buffer =>
  changed.body === passing.body ? bytes : bytesIn(changed);

function passingOf(pools: Pools, request: IncomingMessage, body: string): Passing {
  const { method = '', url = '', headers, headersDistinct, socket } = request;
  const authorizations = headersDistinct.authorization ?? [];
  return { method, path: url, headers: plain(headers), body, authorizations, ...pools.shownOn(socket) };
}

/** Joins a connection that asks for an upgrade to one of the good server's, or answers it by the fault. */
async function connect(pools: Pools, fault: Fault, near: NearEnd): Promise<void> {
  // A reader that hangs up is no error of the test.
  near.socket.on('error', () => undefined);
  const passing = passingOf(pools, near.request, '');
  const changed = pools.changed(fault, passing);
  if ('status' in changed) answerRaw(near.socket, changed);
  else await joinUpgraded(near, pools.farEnd(changed.certificate), changed, fault);
}

/** A watch goes through as it comes. */
interface Streaming extends Returning {
  readonly stream?: Readable;
  readonly change?: ChangeEvent;
}

async function forward(pool: Pool, { method, path, headers }: Passing, body: Buffer): Promise<Streaming> {
  const answer = await pool.request({
    method: method as Dispatcher.HttpMethod,
    path,
    headers: { ...headers },
    body: body.length === 0 ? null : body,
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
  { status, headers, body, stream, change }: Streaming,
  response: ServerResponse,
  { holdsHead, neverEnds }: Fault,
): void {
  response.writeHead(status, headers);
  if (stream === undefined) response.end(bytesIn({ headers, body }));
  else {
    if (!holdsHead) response.flushHeaders();
    // A reader that hangs up ends the watch here too; that is no error of the test.
    stream.on('error', () => undefined);
    response.on('close', () => stream.destroy());
    if (change === undefined) stream.pipe(response, { end: !neverEnds });
    else pour(stream, headers, response, change).catch(() => response.destroy());
  }
}

function plain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).filter(([name, value]) => value !== undefined && !hopByHop.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Passes a watch on, event by event, until it ends or the reader hangs up. */
async function pour(
  stream: Readable,
  headers: Returning['headers'],
  response: ServerResponse,
  change: ChangeEvent,
): Promise<void> {
  const send = async (event: PassingEvent | undefined): Promise<void> => {
    const sent = await change(event);
    if (sent === 'cut') response.destroy();
    else for (const body of sent) response.write(bytesIn({ headers, body }));
  };
  for await (const event of eventsIn(stream, headers)) await send(event);
  await send(undefined);
  response.end();
}

async function* eventsIn(stream: Readable, headers: Returning['headers']): AsyncGenerator<PassingEvent> {
  if (isProtobuf(headers['content-type'])) {
    const frames = new FrameSequence();
    for await (const chunk of stream)
      for (const { bytes } of frames.push(chunk)) yield decodeEvent(bytes) as unknown as PassingEvent;
  } else {
    for await (const text of createInterface({ input: stream })) yield JSON.parse(text);
  }
}
