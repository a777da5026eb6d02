// The listening socket: TLS, Express, keep-alive, time-outs, upgrades, and a stop within a second.
import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Request, Response } from 'express';
import { json } from '../codecs/json.js';
import { badRequest, methodNotAllowed, StatusError } from '../errors.js';
import { OptionError } from '../optionError.js';
import type { CompleteOptions } from '../options.js';
import { waiting } from './body.js';
import { Router } from './expressRouter.js';
import { beginInTurns } from './handshakes.js';
import { rawError, sendError } from './response.js';

/** What an Upgrade request brings along: the socket, and the bytes that came after the head. */
export interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Serves one request; never rejects. */
export type Serve = (request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade) => void;

export interface Listener {
  readonly port: number;
  /** Stops within `grace` milliseconds: idle connections at once, the others when they are done or time is up. */
  close(grace?: number): Promise<void>;
}

/** Bounds on what a client may send and how slowly, in bytes and milliseconds. */
const limits = {
  /** A bearer token, a certificate's name and a cookie jar fit; beyond it 431. */
  maxHeaderSize: 64 * 1024,
  /** As long as real servers wait: a client that is starved between connecting and asking is not a hostile one. */
  headersTimeout: 32_000,
  /** A whole request, 3 MiB of body included; a watch has no body and may last. */
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
  /** Longer than the pools of clients keep a connection, so that the client closes first. */
  keepAliveTimeout: 90_000,
};

/** Listens and hands every request to `serve`. Throws OptionError where the address cannot be had. */
export async function listen(options: CompleteOptions, serve: Serve): Promise<Listener> {
  const { tls, port, bindAddress, clientAuthorities } = options;
  const server = createServer({
    cert: tls.certificate,
    key: tls.key,
    // every client is asked for a certificate, none needs one: authentication decides
    requestCert: true,
    rejectUnauthorized: false,
    ...(clientAuthorities !== undefined && { ca: clientAuthorities }),
    minVersion: 'TLSv1.2',
    ...limits,
  });
  server.on('request', edge(serve));
  server.on('checkContinue', (request, response: ServerResponse) => {
    waiting.set(request, () => response.writeContinue());
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    sendError(response, fault(417), json, false);
  });
  server.on('upgrade', (request, socket, head) => serveUpgrade(serve, request, socket, head));
  server.on('connect', (_request, socket) => refuse(socket, methodNotAllowed()));
  server.on('clientError', (error, socket) => refuse(socket, clientFault(error)));
  server.on('secureConnection', readAsStream);
  const sockets = track(server);
  beginInTurns(server);
  await bind(server, port, bindAddress);
  return {
    port: (server.address() as AddressInfo).port,
    close: (grace = 800) => stop(server, sockets, grace),
  };
}

/**
 * One catch-all: Express carries the request, its router decides nothing. It is Express's router without its
 * application, which gives every request and response other prototypes: that alone costs 70 µs a request.
 */
function edge(serve: Serve): (request: IncomingMessage, response: ServerResponse) => void {
  const router = Router();
  router.use((request, response) => serve(request, response));
  return (request, response) => router(request as Request, response as Response, () => {});
}

/**
 * Lets the parser of HTTP read a connection as any reader does. Node lets it read what TLS has decrypted by a shorter
 * way until somebody listens for data, and that way does not stop where many pipelined requests wait for the client to
 * take answers: the connection would end with a 400.
 */
function readAsStream(socket: Socket): void {
  const nothing = (): void => {};
  socket.on('data', nothing).off('data', nothing);
}

/** Upgrade requests have no response object of their own; with one, they take the same way as all others. */
function serveUpgrade(serve: Serve, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.on('finish', () => socket.end());
  socket.on('error', () => socket.destroy());
  serve(request, response, { socket, head });
}

function refuse(socket: Duplex, error: StatusError): void {
  // told already: what still comes is read and dropped, so that the answer is not lost to a reset
  if (socket.writableEnded) return;
  socket.on('error', () => socket.destroy());
  socket.end(rawError(error));
  setTimeout(() => socket.destroy(), 1000).unref();
}

const requestLine = /^[A-Za-z]+ \/\S* HTTP\/1\.[01]\r\n/;
const faults: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What is wrong with bytes that are no request. */
function clientFault(error: Error & { code?: string; rawPacket?: Buffer }): StatusError {
  // Node's parser knows the registered methods only; another one is a method that no path has
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
    return `--bind-address: ${address} is no address of this machine`;
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
