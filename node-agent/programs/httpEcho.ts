// The HTTP echo server: it returns the request as JSON; some paths request other responses.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { WebSocketServer } from 'ws';
import { type Program, ProgramError, pause } from '../kernel/process.js';
import { writeText } from '../kernel/streams.js';
import { serveHttp } from './httpServer.js';

/** The most bytes of a body. */
const maxBody = 8_388_608;

/**
 * Runs `http-echo [--port N]… [--tls-port N]…`. By default it listens on the ports of the container's spec, or on 80.
 * These paths have other responses: `/status/<code>`, `/redirect/<code>?to=<location>`, `/bytes/<count>?type=<media
 * type>&encoding=gzip`, `/headers?<name>=<value>`, `/cookies`, which sets two cookies, `/slow/<seconds>` and
 * `/chunks/<count>?every=<seconds>`. The header `x-served-method` has the method of the request. A WebSocket returns every
 * message; one at `/socket/seen` first sends the request.
 */
export const httpEcho: Program = async (process) => {
  const { argv, sandbox, stdout } = process;
  const ports = readPorts(argv, sandbox.ports);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBody });
  sockets.on('connection', (socket, request: IncomingMessage) => {
    if (request.url?.startsWith('/socket/seen') === true) socket.send(JSON.stringify(seenIn(request)));
    socket.on('message', (data, binary) => socket.send(data, { binary }));
    socket.on('error', () => socket.terminate());
  });
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    sandbox.onRequest(request, socket);
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    else sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit('connection', accepted, request));
  };
  const listening = () => writeText(stdout, `listening on ${[...ports.plain, ...ports.tls].join(', ')}\n`);
  return await serveHttp(process, ports, echo, { upgrade, listening });
};

function readPorts(argv: readonly string[], containerPorts: readonly number[]) {
  const [plain, tls]: [number[], number[]] = [[], []];
  const left = argv.slice(1);
  while (left.length > 0) {
    const option = left.shift() ?? '';
    const list = { '--port': plain, '--tls-port': tls }[option];
    const port = Number(left.shift());
    if (list === undefined) throw new ProgramError(`unknown option ${option}; there are --port N and --tls-port N`, 2);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new ProgramError(`${option}: give a port`, 2);
    list.push(port);
  }
  if (plain.length + tls.length > 0) return { plain, tls };
  return { plain: containerPorts.length > 0 ? containerPorts : [80], tls };
}

async function echo(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  signal: AbortSignal,
): Promise<void> {
  const { path, query, ...head } = seenIn(request);
  const body = await readBody(request);
  if (body === undefined) {
    response.writeHead(413, { connection: 'close' }).end('the body is too large\n');
    return;
  }
  const parameters = new URLSearchParams(query);
  response.setHeader('x-served-method', request.method ?? '');
  const [, action = '', argument = ''] = path.split('/');
  switch (action) {
    case 'slow':
      await pause(signal, Number(argument) * 1000 || 0);
      break;
    case 'redirect':
      response.writeHead(codeOf(argument, 302), { location: parameters.get('to') ?? '/' }).end();
      return;
    case 'bytes': {
      const type = parameters.get('type') ?? 'application/octet-stream';
      const isZipped = parameters.get('encoding') === 'gzip';
      const bytes = bytesOf(Math.min(Number(argument) || 0, maxBody));
      if (isZipped) response.setHeader('content-encoding', 'gzip');
      response.writeHead(200, { 'content-type': type, 'x-served-by': 'http-echo' });
      response.end(isZipped ? gzipSync(bytes) : bytes);
      return;
    }
    case 'chunks':
      for (let count = 1; count <= Math.min(Number(argument), 100_000); count++) {
        if (count > 1) await pause(signal, Number(parameters.get('every') ?? 0) * 1000);
        response.write(`chunk ${count}\n`);
      }
      response.end();
      return;
  }
  const status = action === 'status' ? codeOf(argument, 200) : 200;
  const echoed = { port, ...head, path, query, body: body.toString(), bytes: body.length };
  if (action === 'cookies') response.setHeader('set-cookie', cookies);
  if (action === 'headers') for (const [name, value] of parameters) response.setHeader(name, value);
  response.writeHead(status, { 'content-type': 'application/json', 'x-served-by': 'http-echo' });
  response.end(`${JSON.stringify(echoed)}\n`);
}

/** Returns the head of a request: the path and the query apart, and the headers as they came. */
function seenIn({ method, url = '/', rawHeaders }: IncomingMessage) {
  const mark = url.indexOf('?');
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
  const headers: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return { method, path, query, headers };
}

/** Two cookies; the date of the first one holds a comma. */
const cookies = ['one=1; Path=/; Expires=Fri, 01 Jan 2100 00:00:00 GMT', 'two=2; Path=/'];

/** Bytes that are not UTF-8, in a pattern that reveals a lost piece. */
const pattern = Buffer.from(Array.from({ length: 251 }, (_, at) => (at * 7) % 251));

const bytesOf = (count: number): Buffer => Buffer.alloc(count, pattern);

function codeOf(text: string, otherwise: number): number {
  const code = Number(text);
  return Number.isInteger(code) && code >= 200 && code <= 599 ? code : otherwise;
}

/** Returns the body, or undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
