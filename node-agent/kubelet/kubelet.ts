// The kubelet's HTTPS server: logs, exec, attach, port-forward, and the pods of the node.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { openResponse } from '../../matrix/api/pipelined.js';
import type { PodManager } from '../pods/podManager.js';
import { containerLogs } from './containerLogs.js';
import { HttpError, type KubeletRequest, parseRequest } from './request.js';
import type { StreamHandler } from './streaming.js';

export interface KubeletTls {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
  /** PEM: the CA of the clients' certificates. By default, clients need no certificate. */
  readonly clientCa?: string;
}

export interface Kubelet {
  accept(connection: Duplex): void;
  close(): void;
}

const plainText = { 'content-type': 'text/plain; charset=utf-8' };

type Handler = (pods: PodManager, request: KubeletRequest, response: ServerResponse) => Promise<void>;

const handlers = new Map<string, Handler>([
  ['containerLogs', containerLogs],
  ['pods', listPods],
  ['healthz', async (_pods, _request, response) => void response.writeHead(200, plainText).end('ok')],
]);

async function listPods({ pods }: PodManager, _: KubeletRequest, response: ServerResponse): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'PodList', metadata: {}, items: pods };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
}

/** Loaded on demand, so that a node starts fast. */
const streams = new Map<string, () => Promise<StreamHandler>>([
  ['exec', async () => (await import('./streaming.js')).execHandler],
  ['attach', async () => (await import('./streaming.js')).attachHandler],
  ['portForward', async () => (await import('./streaming.js')).portForwardHandler],
]);

/**
 * Makes the server for the pods of a node. It does not listen: `accept` receives its connections. Calls `onRequest`
 * before it serves a request.
 */
export function makeKubelet(
  pods: PodManager,
  { certificate, key, clientCa }: KubeletTls,
  onRequest: (request: IncomingMessage, response: ServerResponse | Duplex) => void = () => {},
): Kubelet {
  const open = new Set<Duplex>();
  const server = createServer({
    cert: certificate,
    key,
    ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: false }),
  });
  const parse = (message: IncomingMessage): KubeletRequest => {
    if (clientCa !== undefined && !(message.socket as TLSSocket).authorized) throw new HttpError(401, 'Unauthorized');
    return parseRequest(message);
  };
  server.on('request', (message, response) => {
    onRequest(message, response);
    const respond = async () => {
      const request = parse(message);
      if (streams.has(request.operation)) throw new HttpError(400, 'Upgrade request required');
      const handler = handlers.get(request.operation);
      if (handler === undefined) throw new HttpError(404, '404 page not found');
      await handler(pods, request, response);
    };
    respond().catch((error) => {
      if (response.headersSent) return void response.destroy();
      const { status, message } = toHttpError(error);
      response.writeHead(status, plainText).end(message);
    });
  });
  server.on('upgrade', (message, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (openResponse(socket) !== undefined) return void socket.destroy();
    onRequest(message, socket);
    const upgrade = async () => {
      const request = parse(message);
      const load = streams.get(request.operation);
      if (load === undefined) throw new HttpError(404, '404 page not found');
      const stream = await load();
      await stream(pods, request, { request: message, socket, head });
    };
    upgrade().catch((error) => {
      if (!socket.destroyed) socket.end(rawResponse(toHttpError(error)));
    });
  });
  server.on('tlsClientError', (_, socket) => socket.destroy());
  return {
    accept: (connection) => {
      open.add(connection);
      connection.once('close', () => open.delete(connection)).on('error', () => connection.destroy());
      server.emit('connection', connection);
    },
    close: () => {
      for (const connection of open) connection.destroy();
    },
  };
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof URIError || error instanceof TypeError) return new HttpError(400, 'malformed URL');
  return new HttpError(500, error instanceof Error ? error.message : String(error));
}

const rawResponse = ({ status, message }: HttpError): string =>
  `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n` +
  `content-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`;
