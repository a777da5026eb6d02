// A dangerous server: a good server behind a proxy that widens requests and records the writes.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import type { Running } from '../referenceServer.js';

/** A request, and the status of its reply. */
export interface Written {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly status: number;
}

export interface DangerousServer {
  readonly url: string;
  /** Every request except GETs, in the order of the replies. */
  readonly writes: readonly Written[];
  /** The requests that the good server has not answered yet: their clients may be gone. */
  underWay(): number;
  close(): Promise<void>;
}

/** Returns the paths to which the server applies a request. */
export type Danger = (request: Pick<Written, 'method' | 'path'>, listNames: ListNames) => Promise<readonly string[]>;

type ListNames = (collection: string, field?: 'name' | 'namespace') => Promise<readonly string[]>;

/** Starts a server that widens every request by `danger`; with `open`, it accepts all users. */
export async function startDangerousServer(
  good: Running,
  danger: Danger = async ({ path }) => [path],
  { open = false } = {},
): Promise<DangerousServer> {
  const pool = new Pool(good.url, { connect: { ca: good.ca }, connections: 16 });
  const writes: Written[] = [];
  const administrator = { authorization: `Bearer ${good.token}` };

  const listNames: ListNames = async (collection, field = 'name') => {
    const { body } = await pool.request({ method: 'GET', path: collection, headers: administrator });
    const { items = [] } = (await body.json()) as { readonly items?: readonly { readonly metadata: Metadata }[] };
    return [...new Set(items.map(({ metadata }) => metadata[field] ?? ''))];
  };
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '' } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const headers = { ...plain(request), ...(open ? administrator : {}) };
    const paths = await danger({ method, path }, listNames);
    let last: Dispatcher.ResponseData | undefined;
    for (const taken of paths.length === 0 ? [path] : paths) {
      await last?.body.dump();
      last = await pool.request({
        method: method as Dispatcher.HttpMethod,
        path: taken,
        headers,
        body: body.length === 0 ? null : body,
      });
    }
    if (last === undefined) throw new Error('nothing was sent');
    if (method !== 'GET') writes.push({ method, path, body: body.toString(), status: last.statusCode });
    response.writeHead(last.statusCode, last.headers);
    response.flushHeaders();
    const { body: stream } = last;
    stream.on('error', () => response.destroy());
    response.on('close', () => stream.destroy());
    stream.pipe(response);
  };
  let underWay = 0;
  const server = createServer((request, response) => {
    underWay += 1;
    reply(request, response)
      .catch(() => response.destroy())
      .finally(() => {
        underWay -= 1;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes,
    underWay: () => underWay,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.destroy();
    },
  };
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
}

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'host',
  'upgrade',
  'expect',
]);

function plain({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).filter(([name, value]) => value !== undefined && !hopByHop.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
