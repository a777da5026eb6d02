// Stands between the suite and a good server, and breaks it by one fault.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import type { Fault, Passing, Returning } from './parts.js';

/** The proxy: a URL, and its end. */
export interface FaultyProxy {
  readonly url: string;
  close(): Promise<void>;
}

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

/** Starts the proxy on a free loopback port. `ca` is the PEM of the good server's authority. */
export async function startFaultyProxy(good: string, ca: string, fault: Fault): Promise<FaultyProxy> {
  const pool = new Pool(good, { connect: { ca }, connections: 16 });
  const server = createServer((request, response) => {
    answer(pool, fault, request).then(
      (returning) => pass(returning, response, fault),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.destroy();
    },
  };
}

async function answer(pool: Pool, fault: Fault, request: IncomingMessage): Promise<Streaming> {
  const bytes = await bytesOf(request);
  const passing: Passing = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: plain(request.headers),
    body: bytes.toString('utf8'),
  };
  const changed = fault.request?.(passing) ?? passing;
  const returning =
    'status' in changed ? changed : await forward(pool, changed, changed.body === passing.body ? bytes : changed.body);
  return fault.reply?.(returning, passing) ?? returning;
}

/** A watch goes through as it comes. */
interface Streaming extends Returning {
  readonly stream?: Readable;
}

async function forward(pool: Pool, { method, path, headers }: Passing, body: Buffer | string): Promise<Streaming> {
  const answer = await pool.request({
    method: method as Dispatcher.HttpMethod,
    path,
    headers: { ...headers },
    body: body.length === 0 ? null : body,
  });
  const start = { status: answer.statusCode, headers: plain(answer.headers) };
  if (!path.includes('/watch/') || answer.statusCode !== 200) return { ...start, body: await answer.body.text() };
  return { ...start, body: '', stream: answer.body };
}

function pass({ status, headers, body, stream }: Streaming, response: ServerResponse, { events }: Fault): void {
  response.writeHead(status, headers);
  if (stream === undefined) response.end(body);
  else if (events === undefined) pipeline(stream, response, () => undefined);
  else pipeline(stream, changing(events), response, () => undefined);
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

function changing(events: (text: string) => string): Transform {
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, events(chunk.toString('utf8'))),
  });
}
