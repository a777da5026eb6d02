// The endpoint of a control: plain HTTP on loopback, at a secret path.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ControlServer {
  /** The URL for `connect`. It gives access to the tokens of the run. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves operations on a free port. */
export async function serveControl<T extends object>(
  control: T,
  operations: readonly (keyof T & string)[],
): Promise<ControlServer> {
  const path = `/${randomBytes(24).toString('base64url')}`;
  // A worker may ask again at the moment when an idle connection would end.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    answer({ control, operations, path }, request, response).catch((error: unknown) => {
      reply(response, 400, { error: error instanceof Error ? error.message : String(error) });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Served<T> {
  readonly control: T;
  readonly operations: readonly (keyof T & string)[];
  readonly path: string;
}

async function answer<T extends object>(
  { control, operations, path }: Served<T>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!equal(request.url ?? '', path)) return reply(response, 404, { error: 'nothing here' });
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { operation?: unknown; arguments?: unknown };
  const name = operations.find((operation) => operation === asked.operation);
  if (name === undefined || !Array.isArray(asked.arguments)) throw new Error('no such operation');
  const operation = control[name] as unknown as (...args: readonly unknown[]) => Promise<unknown>;
  reply(response, 200, { result: await operation(...(asked.arguments as unknown[])) });
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function equal(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
