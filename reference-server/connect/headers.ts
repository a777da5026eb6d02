// The headers that pass between a client and a backend.
import type { IncomingMessage } from 'node:http';
import { badRequest } from '../errors.js';

/** Header fields as received: name, value, name, value. */
export type RawHeaders = readonly string[];

/** Headers of one connection only (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Credentials of the caller, and headers for this server, which has already handled `expect`. A backend might trust
 * `X-Remote-*` headers, in which a front proxy names the sender of a request.
 */
const forThisServer = /^(authorization|expect|x-forwarded-for|x-forwarded-uri|(impersonate|x-remote)-.*)$/;

/** The subprotocol that carries a token of a browser. */
const tokenProtocol = /^base64url\.bearer\.authorization\.k8s\.io\./;

/** Returns the end-to-end header fields: those that are neither hop-by-hop nor listed in `Connection`. */
export function endToEnd(headers: RawHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < headers.length; index += 2) {
    pairs.push([headers[index] as string, headers[index + 1] as string]);
  }
  const listed = pairs.flatMap(([name, value]) => (name.toLowerCase() === 'connection' ? namesIn(value) : []));
  return pairs.filter(([name]) => !hopByHop.has(name.toLowerCase()) && !listed.includes(name.toLowerCase()));
}

/** Returns the headers of a request for a backend, without credentials of the caller. */
export function forwarded({ rawHeaders, socket, headers }: IncomingMessage): [name: string, value: string][] {
  const passed: [string, string][] = [];
  for (const [name, value] of endToEnd(rawHeaders)) {
    const key = name.toLowerCase();
    if (forThisServer.test(key)) continue;
    const kept = key === 'sec-websocket-protocol' ? withoutToken(value) : value;
    if (kept !== '') passed.push([name, kept]);
  }
  const before = headers['x-forwarded-for'];
  const client = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  passed.push(['X-Forwarded-For', before === undefined ? client : `${before}, ${client}`]);
  return passed;
}

/**
 * Returns the headers that request a protocol upgrade, or undefined if there are none. Throws 400 if the request has a
 * body.
 */
export function upgradeOf({ headers }: IncomingMessage): [name: string, value: string][] | undefined {
  const { upgrade, connection = '', 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (upgrade === undefined || !namesIn(connection).includes('upgrade')) return undefined;
  // Bytes after the head belong to the new protocol.
  if (Number(length ?? 0) > 0 || encoding !== undefined) throw badRequest('a request with a body cannot be upgraded');
  return [
    ['Connection', 'Upgrade'],
    ['Upgrade', upgrade],
  ];
}

const namesIn = (list: string): string[] => list.split(',').map((name) => name.trim().toLowerCase());

const withoutToken = (protocols: string): string =>
  protocols
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => !tokenProtocol.test(protocol))
    .join(', ');
