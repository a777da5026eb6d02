// The control port: what tests in other languages do to the server, over HTTP on the loopback interface.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whyNot } from '../../../../matrix/api/fileFailure.js';
import { jsonText, parseJson } from '../../../exactJson.js';
import { OptionError } from '../../../optionValues.js';
import { isRecord } from '../../../schema/object.js';
import type { Controls } from '../controls.js';
import { yamlObjects } from '../fixtures.js';
import { documentOf } from './document.js';
import { type Asked, NotThere, type Route, routesOf } from './routes.js';

/** The most bytes of a body: the objects that a test loads. */
const mostBytes = 64 * 1024 * 1024;

/** A control port that takes requests. */
export interface ControlPort {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** The bearer token of each request. */
  readonly token: string;
  close(): Promise<void>;
}

/** A request that is refused, with the status code that says why. */
class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Serves the controls of a server on a port of 127.0.0.1; 0 takes a free port. Each request needs the token. Throws
 * OptionError if the port is not free.
 */
export async function listenForControl(controls: Controls, port: number): Promise<ControlPort> {
  const token = randomBytes(24).toString('base64url');
  const routes = routesOf(controls);
  const document = documentOf(routes);
  const server = createServer((request, response) => {
    answer(request)
      .then((body) => send(response, 200, body ?? {}))
      .catch((error: unknown) => send(response, statusOf(error), { error: messageOf(error) }));
  });
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    if (!isToken(request.headers.authorization, token))
      throw new Refused(401, 'give the token of the control port: Authorization: Bearer …');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control');
    if (pathname === '/openapi.json' && request.method === 'GET') return document;
    const { route, path } = routeOf(routes, request.method ?? '', pathname);
    const asked = { path, query: queryOf(route, searchParams), body: await bodyOf(route, request) };
    return shown(route, await route.run(asked));
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new OptionError(`--control-port: ${whyNot(error)}`)));
    server.listen(port, '127.0.0.1', resolve);
  });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token, close };
}

/** Compares hashes: the time of a comparison says nothing about the token. */
function isToken(header: string | undefined, token: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(header ?? ''), hash(`Bearer ${token}`));
}

function routeOf(routes: readonly Route[], method: string, pathname: string) {
  const parts = pathname.split('/');
  const fitting = routes.flatMap((route) => {
    const own = route.path.split('/');
    const isSame = own.length === parts.length && own.every((part, index) => part === parts[index] || part[0] === '{');
    const places = own.flatMap((part, index) =>
      part[0] === '{' ? [[part.slice(1, -1), decoded(parts[index] ?? '')] as const] : [],
    );
    return isSame ? [{ route, path: Object.fromEntries(places) }] : [];
  });
  const found = fitting.find(({ route }) => route.method === method);
  if (found !== undefined) return found;
  const methods = fitting.map(({ route }) => route.method);
  if (methods.length > 0) throw new Refused(405, `${pathname} takes ${methods.join(', ')}, not ${method}`);
  throw new Refused(404, `there is no ${pathname}; GET /openapi.json lists what there is`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refused(400, `${text} is not URL-encoded`);
  }
}

function queryOf({ query = {} }: Route, given: URLSearchParams): Asked['query'] {
  for (const [name, value] of given) {
    const type = query[name];
    if (type === undefined) throw new Refused(400, `there is no parameter ${name}; there are: ${Object.keys(query)}`);
    if (type === 'integer' && !/^\d{1,9}$/.test(value)) throw new Refused(400, `${name}: give a whole number`);
  }
  return Object.fromEntries(given);
}

async function bodyOf({ method, path, takes }: Route, request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostBytes) throw new Refused(413, `the body has more than ${mostBytes} bytes`);
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  if (bytes.toString('latin1').trim() === '') return {};
  const isYaml = /\byaml\b/i.test(request.headers['content-type'] ?? '');
  if (isYaml && takes === 'objects') return await yamlObjects('the body', bytes.toString('utf8'));
  if (isYaml) throw new Refused(415, `${method} ${path} takes JSON: send Content-Type: application/json`);
  const body = jsonOf(bytes, takes === 'objects' ? '; for YAML, send Content-Type: application/yaml' : '');
  if (takes === 'objects') return body;
  // What a library writes that has no body to send.
  if (takes === undefined && body === null) return {};
  if (!isRecord(body)) throw new Refused(400, 'the body is not a JSON object');
  const [unknown] = takes === undefined ? Object.keys(body) : [];
  if (unknown !== undefined) throw new Refused(400, `${method} ${path} takes no body: unknown field ${unknown}`);
  return body;
}

function jsonOf(bytes: Buffer, more: string): unknown {
  try {
    return parseJson(bytes.toString('utf8'));
  } catch (error) {
    throw new Refused(400, `the body is not JSON: ${(error as Error).message}${more}`);
  }
}

/** Returns the response of a route: lists are in a field, so that more fields can come. */
function shown({ returns }: Route, result: unknown): unknown {
  if (returns === 'objects') return { items: result };
  return returns === 'requests' ? { requests: result } : result;
}

function statusOf(error: unknown): number {
  if (error instanceof Refused) return error.status;
  if (error instanceof NotThere) return 404;
  return error instanceof OptionError ? 400 : 500;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${jsonText(body)}\n`);
}
