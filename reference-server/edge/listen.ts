// The listening socket: TLS, keep-alive, time-outs, and a stop within a second.
import { constants } from 'node:crypto';
import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { openResponse } from '../../matrix/api/pipelined.js';
import { json } from '../codecs/json.js';
import { badRequest, methodNotAllowed } from '../errors.js';
import { OptionError } from '../optionValues.js';
import { StatusError } from '../statusError.js';
import { holdBody } from './expectContinue.js';
import { beginInTurns } from './handshakes.js';
import { rawError, sendError } from './response.js';
import type { ServerTls } from './tls.js';
import type { UpgradeListener } from './upgrade.js';

interface Listening {
  readonly app: Express;
  readonly upgrade: UpgradeListener;
  readonly tls: ServerTls;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly bindAddress: string;
  /** PEM: the certificate authorities of client certificates. */
  readonly clientCa: string | undefined;
  /** PEM: the authorities of the certificates of front proxies. */
  readonly proxyCa?: string | undefined;
}

export interface HttpsListener {
  readonly port: number;
  /** Stops within `grace` milliseconds: idle connections at once, others when they are done or the time is up. */
  close(grace?: number): Promise<void>;
}

/** Limits of client requests, in bytes and milliseconds. */
const limits = {
  /** Room for a bearer token, a certificate's name and cookies. Longer heads are refused with 431. */
  maxHeaderSize: 64 * 1024,
  /** The limit of real servers: a client may be slow because its machine is busy. */
  headersTimeout: 32_000,
  /** The limit of a whole request with a body of up to 3 MiB. A watch has no body, so it may last longer. */
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
  /** Longer than the connection pools of clients wait, so that the client closes first. */
  keepAliveTimeout: 90_000,
};

/** Listens and passes every request to the application. Throws OptionError if the address is not available. */
export async function listen(listening: Listening): Promise<HttpsListener> {
  const { app, upgrade, tls, port, bindAddress, clientCa, proxyCa } = listening;
  const server = createServer({
    cert: tls.certificate,
    key: tls.key,
    // The server requests a certificate from every client but requires none: authentication decides.
    requestCert: true,
    rejectUnauthorized: false,
    ...authorities(clientCa, proxyCa),
    minVersion: 'TLSv1.2',
    ...limits,
    ...messagesOf(app),
  });
  const sockets = track(server);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const error = headFault(request);
    if (error === undefined) return app(request, response);
    response.shouldKeepAlive = false;
    sendError(response, error, json, false);
  });
  server.on('upgrade', (request, socket, head) => {
    const error = headFault(request);
    if (error === undefined) upgrade(request, socket, head);
    else refuseSwitch(socket, error);
  });
  server.on('checkContinue', (request, response: ServerResponse) => {
    holdBody(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    sendError(response, fault(417), json, false);
  });
  server.on('connect', (_request, socket) => refuseSwitch(socket, methodNotAllowed()));
  server.on('clientError', (error: ClientError, socket) => {
    // A response to an unused connection could cross its first request.
    if (error.code === timedOut && !used.has(socket)) socket.destroy();
    else if (error.code === withoutTls) refuseWithoutTls(sockets, socket as Socket);
    else refuse(socket, clientFault(error));
  });
  server.on('secureConnection', readAsStream);
  beginInTurns(server);
  await bind(server, port, bindAddress);
  return {
    port: (server.address() as AddressInfo).port,
    close: (grace = 800) => stop(server, sockets, grace),
  };
}

/**
 * Returns the TLS options of the authorities. Which of two kinds has issued a certificate shows only in its whole chain,
 * and a resumed session has the certificate alone: with both kinds, no session is resumed.
 */
function authorities(clientCa: string | undefined, proxyCa: string | undefined) {
  const ca = [clientCa, proxyCa].filter((pem) => pem !== undefined);
  return {
    ...(ca.length > 0 && { ca }),
    ...(proxyCa !== undefined && { secureOptions: constants.SSL_OP_NO_TICKET }),
  };
}

/**
 * Message classes that have the prototypes of the application from the start. Express sets these prototypes on each
 * request and response; changing them there would double the CPU time of a GET. Express would also make `locals` without
 * a prototype, which V8 handles as a hash table.
 */
function messagesOf(app: Express) {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    readonly locals = {};
  }
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/**
 * Makes the HTTP parser read a connection as a stream. Without a listener for data, Node.js passes the decrypted bytes
 * directly to the parser and does not pause while many pipelined requests wait for the client to read responses; the
 * connection would end with a 400. The listener also records that the client has sent something.
 */
function readAsStream(socket: Socket): void {
  socket.once('data', () => used.add(socket));
}

/** The connections on which a client has sent something. */
const used = new WeakSet<Duplex>();

/** The connections that end with a refusal. */
const refused = new WeakSet<Duplex>();

/** Refuses what comes next on a connection, after the responses to the requests before it. */
function refuse(socket: Duplex, error: StatusError): void {
  // Already refused: read and drop later bytes, because a reset would lose the response.
  if (refused.has(socket)) return;
  refused.add(socket);
  socket.on('error', () => socket.destroy());
  endWith(error, socket);
}

function endWith(error: StatusError, socket: Duplex): void {
  if (socket.destroyed || socket.writableEnded) return;
  const open = openResponse(socket);
  if (open?.req.complete) return void open.once('close', () => endWith(error, socket));
  // The rest of the body of its request does not come.
  if (open?.headersSent) return void socket.destroy();
  socket.end(rawError(error));
  setTimeout(() => socket.destroy(), 1000).unref();
}

/**
 * Tells a client that its request came without TLS, in the words of real servers. Node.js destroys the connection after
 * this, and the text is short enough to be sent at once.
 */
function refuseWithoutTls(sockets: ReadonlySet<Socket>, { remoteAddress, remotePort }: Socket): void {
  const connection = [...sockets].find(
    (each) => each.remotePort === remotePort && each.remoteAddress === remoteAddress,
  );
  connection?.write('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n');
}

/**
 * Refuses to give a connection to another protocol. Node.js no longer reads it, so earlier responses cannot be awaited:
 * the connection ends with them.
 */
function refuseSwitch(socket: Duplex, error: StatusError): void {
  if (openResponse(socket) === undefined) refuse(socket, error);
  else socket.destroy();
}

/** Returns the error for a head that the parser of Node.js reads, and that real servers refuse. */
function headFault({ httpVersionMajor, rawHeaders }: IncomingMessage): StatusError | undefined {
  if (httpVersionMajor < 1) return badRequest('the request is not HTTP/1.1');
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? badRequest('the request has several Host headers') : undefined;
}

const requestLine = /^[A-Za-z]+ \/\S* HTTP\/1\.[01]\r\n/;
const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT';
/** OpenSSL has found the start of an HTTP request in place of a handshake. */
const withoutTls = 'ERR_SSL_HTTP_REQUEST';
const faults: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  [timedOut]: 408,
};

type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** Returns the error for bytes that are not a request. */
function clientFault(error: ClientError): StatusError {
  // The parser of Node.js rejects unregistered methods; no path supports one.
  const isRequest = error.rawPacket !== undefined && requestLine.test(error.rawPacket.toString('latin1', 0, 8192));
  if (error.code === 'HPE_INVALID_METHOD' && isRequest) return methodNotAllowed();
  const code = faults[error.code ?? ''];
  return code === undefined ? badRequest('the request is not HTTP/1.1') : fault(code);
}

function fault(code: number): StatusError {
  const text = STATUS_CODES[code] ?? '';
  return new StatusError(code, text.replaceAll(' ', ''), text);
}

function track(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return sockets;
}

function bind(server: Server, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(new OptionError(bindFault(error, port, address)));
    server.once('error', fail);
    server.listen(port, address, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

function bindFault({ code, message }: NodeJS.ErrnoException, port: number, address: string): string {
  if (code === 'EADDRINUSE') return `--port: ${port} is in use on ${address}; choose another, or 0 for a free one`;
  if (code === 'EACCES') return `--port: ${port} needs more rights; choose one above 1023, or 0 for a free one`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `--bind-address: ${address} is not an address of this machine`;
  return `cannot listen on ${address}, port ${port}: ${message}`;
}

async function stop(server: Server, sockets: ReadonlySet<Socket>, grace: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, grace);
  await closed;
  clearTimeout(timer);
  for (const socket of sockets) socket.destroy();
}
