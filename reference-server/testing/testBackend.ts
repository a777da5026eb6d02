// A test backend at every address of a network, reached by HTTP CONNECT on a Unix socket.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { TLSSocket, type TlsOptions } from 'node:tls';
import { makeServerCertificates } from '../../test-certs/index.js';

export interface ReceivedRequest {
  readonly to: string;
  readonly encrypted: boolean;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The common name of the client certificate. */
  readonly client?: string | string[] | undefined;
}

export type Respond = (response: ServerResponse, arrived: ReceivedRequest) => void;
export type Switch = (socket: Duplex, arrived: ReceivedRequest, head: Buffer) => void;

/** Responds with the received request. */
export const mirror: Respond = (response, arrived) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'X-Backend': 'test' }).end(JSON.stringify(arrived));
};

/** Echoes the bytes of an upgraded connection. */
export const echo: Switch = (socket, { headers }, head) => {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${headers.upgrade}\r\nX-Backend: test\r\n\r\n`,
  );
  if (head.length > 0) socket.unshift(head);
  socket.pipe(socket);
};

export class TestBackend {
  readonly arrived: ReceivedRequest[] = [];
  /** Open connections. */
  readonly open = new Set<Duplex>();
  behave: Respond = mirror;
  switch: Switch = echo;

  private constructor(
    readonly socketPath: string,
    readonly ca: string,
    readonly proxy: Server,
    readonly folder: string,
  ) {}

  /**
   * Starts a backend. Port 81 refuses connections, port 82 accepts them silently, and ports 443, 8443 and 10250 speak
   * TLS.
   */
  static async start(tls: TlsOptions = {}): Promise<TestBackend> {
    const folder = mkdtempSync(join(tmpdir(), 'backend-'));
    const { ca, server } = await makeServerCertificates('10.250.0.1', { names: ['IP:10.250.0.1'] });
    const proxy = createServer();
    const socketPath = join(folder, 'egress.sock');
    const backend = new TestBackend(socketPath, ca.certificate, proxy, folder);
    const behind = createServer((request, response) => void backend.#answer(request, response));
    behind.on('upgrade', (request, socket, head) => backend.switch(socket, backend.#note(request, ''), head));
    proxy.on('connect', (request, socket: Duplex, head: Buffer) => {
      backend.open.add(socket);
      socket.on('error', () => socket.destroy()).once('close', () => backend.open.delete(socket));
      const [, port = ''] = (request.url ?? '').split(':');
      if (port === '81') return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      if (port === '82') return void socket.resume().once('end', () => socket.end());
      if (head.length > 0) socket.unshift(head);
      const isTls = ['443', '8443', '10250'].includes(port);
      const options = { isServer: true, cert: server.certificate, key: server.key, ...tls } as const;
      const accepted = isTls ? new TLSSocket(socket as never, options) : socket;
      accepted.on('error', () => accepted.destroy());
      places.set(accepted, request.url ?? '');
      behind.emit('connection', accepted);
    });
    proxy.listen(socketPath);
    await once(proxy, 'listening');
    return backend;
  }

  /** Returns the single request since the last call. Throws if there is not exactly one. */
  take(): ReceivedRequest {
    const [only, ...others] = this.arrived.splice(0);
    if (only === undefined || others.length > 0) throw new Error('not one request');
    return only;
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    this.proxy.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => '(broken off)');
    this.behave(response, this.#note(request, body));
  }

  #note({ socket, method = '', url = '', headers }: IncomingMessage, body: string): ReceivedRequest {
    const encrypted = socket instanceof TLSSocket;
    const client = encrypted ? socket.getPeerCertificate().subject?.CN : undefined;
    const arrived = { to: places.get(socket) ?? '', encrypted, method, url, headers, body, client };
    this.arrived.push(arrived);
    return arrived;
  }
}

/** The destination of each connection. */
const places = new WeakMap<Duplex, string>();
