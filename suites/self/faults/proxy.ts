// Stands between the suite and a good server, and breaks it by one fault.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex, Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { type Dispatcher, Pool } from 'undici';
import type { Fixtures } from '../../fixtures/fixtures.js';
import type { ChangeEvent, Fault, Passing, PassingEvent, Returning } from './parts.js';

/** The proxy: a URL, and its end. */
export interface FaultyProxy {
  readonly url: string;
  close(): Promise<void>;
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

/** The files that the good server was started with, and whose client certificates there are. */
interface Identities {
  readonly directory: string;
  readonly fixtures: Fixtures;
}

/** The connections to the good server that go with the certificate which a connection to the proxy was made with. */
type PoolOf = (request: IncomingMessage) => Pool;

/**
 * Starts the proxy on a free loopback port. `ca` is the PEM of the good server's authority. With the good server's
 * identities it speaks TLS under the certificate of that server, and shows it the client certificates that it is shown.
 */
export async function startFaultyProxy(
  good: string,
  ca: string,
  fault: Fault,
  identities?: Identities,
): Promise<FaultyProxy> {
  const pools = new Map<string, Pool>();
  const poolOf: PoolOf = ({ socket }) => {
    const shown = socket instanceof TLSSocket ? (socket.getPeerX509Certificate()?.fingerprint256 ?? '') : '';
    const pool = pools.get(shown) ?? new Pool(good, { connect: { ca, ...owner(shown, identities) }, connections: 16 });
    pools.set(shown, pool);
    return pool;
  };
  const server = identities === undefined ? createServer() : createSecureServer(tlsOf(identities));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(poolOf(request), fault, request).then(
      (returning) => pass(returning, response, fault.holdsHead === true),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    connect(poolOf(request), fault, request, socket).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `${identities === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

function tlsOf({ directory }: Identities): ServerOptions {
  const [cert, key] = ['server.crt', 'server.key'].map((file) => readFileSync(join(directory, file)));
  return { cert, key, requestCert: true, rejectUnauthorized: false };
}

/** The client certificate of that fingerprint, with its key. */
function owner(fingerprint: string, identities: Identities | undefined): { cert?: string; key?: string } {
  const found = Object.values(identities?.fixtures.clientCertificates ?? {}).find(
    ({ certificate }) => new X509Certificate(certificate).fingerprint256 === fingerprint,
  );
  return found === undefined ? {} : { cert: found.certificate, key: found.key };
}

async function answer(pool: Pool, fault: Fault, request: IncomingMessage): Promise<Streaming> {
  const bytes = await bytesOf(request);
  const passing = passingOf(request, bytes.toString('utf8'));
  const changed = fault.request?.(passing) ?? passing;
  const returning =
    'status' in changed ? changed : await forward(pool, changed, changed.body === passing.body ? bytes : changed.body);
  const replied: Streaming = fault.reply?.(returning, passing) ?? returning;
  return fault.watch === undefined ? replied : { ...replied, change: fault.watch(passing) };
}

function passingOf({ method = '', url = '', headers }: IncomingMessage, body: string): Passing {
  return { method, path: url, headers: plain(headers), body };
}

/** Ties a connection that asks for an upgrade to one of the good server's, or answers it by the fault. */
async function connect(pool: Pool, fault: Fault, request: IncomingMessage, near: Duplex): Promise<void> {
  // A reader that hangs up is no error of the test.
  near.on('error', () => undefined);
  const passing = passingOf(request, '');
  const changed = fault.request?.(passing) ?? passing;
  if ('status' in changed) {
    near.end(`HTTP/1.1 ${changed.status} Refused\r\ncontent-length: ${changed.body.length}\r\n\r\n${changed.body}`);
    return;
  }
  const { upgrade: protocol = '', ...headers } = changed.headers;
  const { headers: answered, socket: far } = await pool.upgrade({ path: changed.path, headers, protocol });
  const lines = Object.entries(answered).map(([name, value]) => `${name}: ${value}\r\n`);
  near.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
  far.on('error', () => undefined);
  far.on('close', () => near.destroy());
  near.on('close', () => far.destroy());
  near.pipe(far).pipe(near);
}

/** A watch goes through as it comes. */
interface Streaming extends Returning {
  readonly stream?: Readable;
  readonly change?: ChangeEvent;
}

async function forward(pool: Pool, { method, path, headers }: Passing, body: Buffer | string): Promise<Streaming> {
  const answer = await pool.request({
    method: method as Dispatcher.HttpMethod,
    path,
    headers: { ...headers },
    body: body.length === 0 ? null : body,
  });
  const start = { status: answer.statusCode, headers: plain(answer.headers) };
  if (!isWatch(path) || answer.statusCode !== 200) return { ...start, body: await answer.body.text() };
  return { ...start, body: '', stream: answer.body };
}

const isWatch = (path: string): boolean => path.includes('/watch/') || /[?&]watch=(true|1)\b/.test(path);

function pass(
  { status, headers, body, stream, change }: Streaming,
  response: ServerResponse,
  holdsHead: boolean,
): void {
  response.writeHead(status, headers);
  if (stream === undefined) response.end(body);
  else {
    if (!holdsHead) response.flushHeaders();
    // A reader that hangs up ends the watch here too; that is no error of the test.
    stream.on('error', () => undefined);
    response.on('close', () => stream.destroy());
    if (change === undefined) stream.pipe(response);
    else pour(stream, response, change).catch(() => response.destroy());
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
async function pour(stream: Readable, response: ServerResponse, change: ChangeEvent): Promise<void> {
  const send = async (event: PassingEvent | undefined): Promise<void> => {
    const sent = await change(event);
    if (sent === 'cut') response.destroy();
    else for (const text of sent) response.write(text);
  };
  for await (const text of createInterface({ input: stream })) await send(JSON.parse(text));
  await send(undefined);
  response.end();
}
