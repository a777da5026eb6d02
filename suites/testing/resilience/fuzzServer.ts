// A server with random responses: a seed decides which requests get a reply that no server should send.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, request as secureRequest } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Random, randomOf } from '../../objects/random.js';
import { changeAnswer } from './fuzzAnswers.js';
import { rawAnswers, upgradeAnswers, wrongRecords } from './fuzzBytes.js';

/** The good server, and the share of bad replies. */
export interface Fuzzing {
  readonly good: { readonly url: string; readonly ca: string };
  readonly seed: number;
  /** The share of requests with a bad reply, from 0 to 1. */
  readonly share: number;
  /** The certificate and the key in PEM, for TLS; plain HTTP when absent. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

export interface FuzzServer {
  readonly url: string;
  /** Returns the number of requests, and the number of bad replies by their kind. */
  readonly counts: () => { readonly requests: number; readonly bad: Readonly<Record<string, number>> };
  close(): Promise<void>;
}

/** Starts the server on a free loopback port. The nth request of a seed always gets the same kind of reply. */
export async function startFuzzServer({ good, seed, share, tls }: Fuzzing): Promise<FuzzServer> {
  const sockets = new Set<Duplex>();
  const bad: Record<string, number> = {};
  let [requests, connections] = [0, 0];
  const next = (): Random => {
    requests += 1;
    return randomOf(seed * 1_000_003 + requests);
  };
  const note = (way: string): void => {
    bad[way] = (bad[way] ?? 0) + 1;
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const random = next();
    if (!random.chance(share)) {
      forward(good, request, response);
      return;
    }
    const raw = random.chance(0.6);
    const [way, say] = random.entry(rawAnswers);
    if (raw) {
      note(way);
      request.resume();
      say(request.socket, random);
      return;
    }
    note('changes a good answer');
    forward(good, request, response, (status, body) => changeAnswer(status, body, random));
  };
  const server =
    tls === undefined ? createServer(answer) : createSecureServer({ cert: tls.certificate, key: tls.key }, answer);
  server.on('clientError', (_, socket: Duplex) => socket.destroy());
  server.on('tlsClientError', (_, socket: Duplex) => socket.destroy());
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined);
    const random = next();
    if (!random.chance(share)) {
      tunnel(good, request, socket, head);
      return;
    }
    const [way, say] = random.entry(upgradeAnswers);
    note(way);
    say(socket, random);
  });
  // Connections arrive here first, so that some of them can break before the first request.
  const entrance = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    connections += 1;
    const random = randomOf(seed * 7_000_003 + connections);
    if (!random.chance(share / 4)) {
      server.emit('connection', socket);
      return;
    }
    const [way, say] = random.entry(wrongRecords);
    note(way);
    say(socket, random);
  });
  await new Promise<void>((resolve) => entrance.listen(0, '127.0.0.1', resolve));
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(entrance.address() as AddressInfo).port}`,
    counts: () => ({ requests, bad }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => entrance.close(resolve));
    },
  };
}

type Good = Fuzzing['good'];

function asked({ url, ca }: Good, { method, url: path, headers }: IncomingMessage): readonly [string, RequestOptions] {
  const { host: _, ...rest } = headers as IncomingHttpHeaders;
  return [url + (path ?? '/'), { method: method ?? 'GET', headers: rest, ca } as RequestOptions];
}

/** Passes a request on, and its response back: as it arrives, or whole and changed. */
function forward(
  good: Good,
  request: IncomingMessage,
  response: ServerResponse,
  change?: (status: number, body: Buffer) => { readonly status: number; readonly body: Buffer },
): void {
  const gone = (): void => void response.destroy();
  const [url, options] = asked(good, request);
  const passed = secureRequest(url, options, (answer) => {
    const { statusCode = 502, headers } = answer;
    answer.on('error', gone);
    const isStream = /watch|follow/.test(url);
    if (change === undefined || isStream) {
      response.writeHead(statusCode, headers);
      response.flushHeaders();
      answer.pipe(response);
      return;
    }
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const { status, body } = change(statusCode, Buffer.concat(chunks));
      const { 'content-length': _, 'transfer-encoding': __, ...rest } = headers;
      response.writeHead(status, rest).end(body);
    });
  });
  passed.on('error', gone);
  request.on('error', gone);
  response.on('error', () => undefined).once('close', () => passed.destroy());
  request.pipe(passed);
}

/** Joins a connection that asks for an upgrade to a connection of the good server. */
function tunnel(good: Good, request: IncomingMessage, near: Duplex, head: Buffer): void {
  const [url, options] = asked(good, request);
  const open = url.startsWith('https:') ? secureRequest : plainRequest;
  const passed = open(url, { ...options, agent: false });
  const statusLine = (answer: IncomingMessage): string => {
    const lines = answer.rawHeaders.flatMap((text, index) =>
      index % 2 === 0 ? [`${text}: ${answer.rawHeaders[index + 1]}`] : [],
    );
    return [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`, ...lines, '', ''].join('\r\n');
  };
  passed.on('error', () => near.destroy());
  passed.on('upgrade', (answer: IncomingMessage, far: Socket, first: Buffer) => {
    far.on('error', () => near.destroy()).once('close', () => near.destroy());
    near.once('close', () => far.destroy());
    near.write(statusLine(answer));
    near.write(first);
    far.write(head);
    near.pipe(far).pipe(near);
  });
  passed.on('response', (answer) => {
    near.write(statusLine(answer).replace(/transfer-encoding: chunked\r\n/i, ''));
    answer.on('error', () => near.destroy()).pipe(near);
  });
  near.once('close', () => passed.destroy());
  passed.end();
}
