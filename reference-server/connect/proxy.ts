// Proxies to pods, services and nodes, and their redirects. The legacy paths and the newer paths are equivalent.
import { pipeline } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { type Answer, type ApiRequest, type Handler, objectKeyOf, resourceOf } from '../request.js';
import { splitTarget } from '../resolver/resolver.js';
import { exchange } from './backend.js';
import { destinations } from './destination.js';
import { endToEnd, forwarded, upgradeOf } from './headers.js';
import { answerOf } from './join.js';
import { Links } from './links.js';
import type { ConnectDependencies } from './target.js';

export const proxy =
  ({ registry, connections }: ConnectDependencies): Handler =>
  async (request) => {
    const { raw, signal } = request;
    const { plural } = resourceOf(request);
    const address = await destinations[plural as keyof typeof destinations](
      { registry, connections },
      objectKeyOf(request),
    );
    const { path, pathname, prefix } = targetOf(request);
    const upgrade = upgradeOf(raw);
    const body = upgrade === undefined ? request.bodyStream() : undefined;
    const headers = [...forwarded(raw), ['X-Forwarded-Uri', pathname] as const, ...(upgrade ?? [])];
    if (body !== undefined && raw.headers['content-length'] === undefined)
      headers.push(['Transfer-Encoding', 'chunked']);
    const call = { method: raw.method ?? '', path, headers, body };
    const reply = await exchange(connections.dialer, address, call, signal);
    const from: Prefix = {
      base: request.basePath,
      prefix,
      hosts: [`${address.host}:${address.port}`, address.host, raw.headers.host ?? ''],
    };
    const received = endToEnd(reply.response.rawHeaders).map(([name, value]): [string, string] =>
      name.toLowerCase() === 'location' ? [name, proxiedLocation(value, from)] : [name, value],
    );
    const answer = answerOf(reply, signal, received);
    return 'stream' in answer && raw.method !== 'HEAD' ? withLinks(answer, from) : answer;
  };

type Streamed = Extract<Answer, { stream: unknown }>;

/** Makes the links of HTML lead through the proxy. Other content passes, and HTML in an unknown encoding or beside a redirect. */
function withLinks(answer: Streamed, { base = '', prefix, hosts }: Prefix): Streamed {
  const of = (wanted: string) => answer.headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
  const encoding = of('content-encoding').toLowerCase();
  const isHtml = of('content-type').split(';', 1)[0]?.trim().toLowerCase() === 'text/html';
  if (!isHtml || of('location') !== '' || (encoding !== '' && encoding !== 'gzip')) return answer;
  const escaped = { base: escapeHtml(base), prefix: escapeHtml(prefix), hosts };
  const links = new Links((link) => proxiedLocation(link, escaped));
  const parts = encoding === 'gzip' ? [createGunzip(), links, createGzip()] : [links];
  pipeline([answer.stream, ...parts], () => {});
  const headers = answer.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  return { ...answer, headers, stream: parts.at(-1) ?? links };
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * The request target for the backend: the rest of the URL after the object, byte for byte, with the whole query. `path`
 * in the query counts only if the URL has no rest (readings, 21).
 */
function targetOf({ raw, path: { path }, query }: ApiRequest) {
  const { pathname, search } = splitTarget(raw.url ?? '/');
  const prefix = path === undefined ? pathname : pathname.slice(0, pathname.length - path.length - 1);
  const proxied = path ?? pathOf(query.get('path') ?? '');
  return { path: `/${proxied}${search === '' ? '' : `?${search}`}`, pathname, prefix };
}

const pathOf = (text: string): string =>
  encodeURI(text.replace(/^\//, '')).replace(/[?#]/g, (character) => encodeURIComponent(character));

/** The path prefix of the backend for clients, and the names of its host. */
export interface Prefix {
  /** The base path of this server; empty for none. */
  readonly base?: string;
  readonly prefix: string;
  readonly hosts: readonly string[];
}

/**
 * Rewrites a `Location` on the backend to a path through the proxy. Relative locations and those on other hosts stay
 * unchanged.
 */
export function proxiedLocation(location: string, { base = '', prefix, hosts }: Prefix): string {
  const [, host, path = ''] = /^(?:(?:https?:)?\/\/([^/?#]*))?(.*)$/is.exec(location) ?? [];
  if (host === undefined ? !path.startsWith('/') : !hosts.includes(host)) return location;
  const rooted = path.startsWith('/') ? path : `/${path}`;
  return base + (rooted.startsWith(`${prefix}/`) ? rooted : `${prefix}${rooted}`);
}
