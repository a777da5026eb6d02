// Which headers pass between a client and what stands behind the server.
import type { IncomingMessage } from 'node:http';
import { badRequest } from '../errors.js';

/** Header fields as they came: name, value, name, value. */
export type RawHeaders = readonly string[];

/** Those that mean one connection only (RFC 9110, 7.6.1). */
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
 * What the caller proves itself with, or asks this server for; `expect` has been answered. What stands behind the
 * server may believe `X-Remote-*`, by which a front proxy says who sends a request.
 */
const forThisServer = /^(authorization|cookie|expect|x-forwarded-for|x-forwarded-uri|(impersonate|x-remote)-.*)$/;

/** The subprotocol in which browsers send a token. */
const tokenProtocol = /^base64url\.bearer\.authorization\.k8s\.io\./;

/** Header fields without those of one hop; names that `Connection` lists are such. */
export function endToEnd(headers: RawHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < headers.length; index += 2) {
    pairs.push([headers[index] as string, headers[index + 1] as string]);
  }
  const listed = pairs.flatMap(([name, value]) => (name.toLowerCase() === 'connection' ? namesIn(value) : []));
  return pairs.filter(([name]) => !hopByHop.has(name.toLowerCase()) && !listed.includes(name.toLowerCase()));
}

/** What of a request's headers the other end gets: nothing that proves who the caller is. */
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
 * The headers by which a request asks for another protocol on its connection; undefined where it does not. Throws 400
 * for one that has a body.
 */
export function upgradeOf({ headers }: IncomingMessage): [name: string, value: string][] | undefined {
  const { upgrade, connection = '', 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (upgrade === undefined || !namesIn(connection).includes('upgrade')) return undefined;
  // what follows the head belongs to the new protocol
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
