// The kubelet's HTTPS interface: logs, exec, attach, port-forward, the pods of the node.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { PodManager } from '../pods/podManager.js';
import { readLogQuery } from './logQuery.js';
import { Refusal } from './refusal.js';
import type { Connecting } from './streams.js';
import { containerAt, type Place, podAt } from './target.js';

export interface KubeletTls {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
  /** PEM: what must have signed the certificates of clients; without it nobody is asked for one. */
  readonly clientCa?: string;
}

export interface Kubelet {
  /** Serves a connection. */
  accept(connection: Duplex): void;
  /** Ends every connection. */
  close(): void;
}

type Answer = (pods: PodManager, place: Place, request: IncomingMessage, response: ServerResponse) => Promise<void>;
type Stream = (connecting: Connecting) => Promise<void>;

const answers: Readonly<Record<string, Answer>> = { containerLogs, pods: listPods, healthz };
/** Loaded by the first who asks: a node that nobody asks costs little. */
const streams: Readonly<Record<string, () => Promise<Stream>>> = {
  exec: async () => (await import('./streams.js')).exec,
  attach: async () => (await import('./streams.js')).attach,
  portForward: async () => (await import('./streams.js')).portForward,
};

/**
 * Makes the interface to the pods of a node. It listens nowhere: connections are given to it. `onRequest` hears of each
 * request before it is served.
 */
export function makeKubelet(
  pods: PodManager,
  { certificate, key, clientCa }: KubeletTls,
  onRequest: (request: IncomingMessage, end: ServerResponse | Duplex) => void = () => {},
): Kubelet {
  const open = new Set<Duplex>();
  const server = createServer({
    cert: certificate,
    key,
    ...(clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: false }),
  });
  const requireClient = ({ socket }: IncomingMessage): void => {
    if (clientCa !== undefined && !(socket as TLSSocket).authorized) throw new Refusal(401, 'Unauthorized');
  };
  server.on('request', (request, response) => {
    onRequest(request, response);
    const answer = async () => {
      requireClient(request);
      const place = placeOf(request);
      if (own(streams, place.operation)) throw new Refusal(400, 'Upgrade request required');
      const found = own(answers, place.operation);
      if (found === undefined) throw new Refusal(404, '404 page not found');
      await found(pods, place, request, response);
    };
    answer().catch((error) => refuse(response, error));
  });
  server.on('upgrade', (request, socket, head) => {
    onRequest(request, socket);
    const stream = async () => {
      requireClient(request);
      const place = placeOf(request);
      const found = own(streams, place.operation);
      if (found === undefined) throw new Refusal(404, '404 page not found');
      await (await found())({ pods, place, request, socket, head });
    };
    socket.on('error', () => socket.destroy());
    stream().catch((error) => {
      const { status, text } = answerTo(error);
      if (!socket.destroyed) socket.end(rawAnswer(status, text));
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

/** `/{operation}/{namespace}/{pod}/{container}`; exec, attach and port-forward may have the pod's uid before the last. */
function placeOf({ url = '/' }: IncomingMessage): Place {
  const { pathname, searchParams } = new URL(url, 'https://node');
  const [operation = '', namespace = '', pod = '', ...rest] = pathname
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part));
  return { operation, namespace, pod, container: rest.at(-1) ?? '', query: searchParams };
}

async function containerLogs(pods: PodManager, place: Place, _: IncomingMessage, response: ServerResponse) {
  const keeper = containerAt(podAt(pods, place), place);
  const { options, previous } = readLogQuery(place.query);
  const { container, pod } = place;
  const instance = previous ? keeper.previous : keeper.current;
  if (instance === undefined) {
    const why = previous
      ? `previous terminated container "${container}" in pod "${pod}" not found`
      : `container "${container}" in pod "${pod}" is waiting to start: ${keeper.status.state.waiting?.reason ?? 'unknown'}`;
    throw new Refusal(400, why);
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  response.flushHeaders();
  for await (const chunk of instance.log.read(options, gone.signal)) {
    if (!response.write(chunk)) await once(response, 'drain', { signal: gone.signal }).catch(() => {});
  }
  response.end();
}

async function listPods(pods: PodManager, _place: Place, _request: IncomingMessage, response: ServerResponse) {
  const list = { apiVersion: 'v1', kind: 'PodList', metadata: {}, items: pods.pods };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
}

async function healthz(_pods: PodManager, _place: Place, _request: IncomingMessage, response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('ok');
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const { status, text } = answerTo(error);
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

function answerTo(error: unknown): { readonly status: number; readonly text: string } {
  if (error instanceof Refusal) return { status: error.status, text: error.message };
  if (error instanceof URIError || error instanceof TypeError) return { status: 400, text: 'malformed URL' };
  return { status: 500, text: error instanceof Error ? error.message : String(error) };
}

const rawAnswer = (status: number, text: string): string =>
  `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n` +
  `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
