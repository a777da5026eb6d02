// Proxies to pods, services and nodes; the legacy paths and the newer ones mean the same.
import { bodyStream } from '../edge/body.js';
import { basePathOf } from '../edge/surroundings.js';
import type { ApiRequest } from '../request.js';
import { splitTarget } from '../resolver/resolver.js';
import { type MakeHandler, placeOf, resourceOf } from '../verbs/context.js';
import { answerOf } from './answer.js';
import { exchange } from './backend.js';
import { destinations } from './destination.js';
import { endToEnd, forwarded, upgradeOf } from './headers.js';
import { type Prefix, proxiedLocation } from './location.js';

export const proxy: MakeHandler =
  ({ registry, connections }) =>
  async (request) => {
    const { raw, signal } = request;
    const { plural } = resourceOf(request);
    const address = await destinations[plural as keyof typeof destinations](
      { registry, connections },
      placeOf(request),
    );
    const { path, pathname, prefix } = targetOf(request);
    const upgrade = upgradeOf(raw);
    const body = upgrade === undefined ? bodyStream(raw) : undefined;
    const headers = [...forwarded(raw), ['X-Forwarded-Uri', pathname] as const, ...(upgrade ?? [])];
    if (body !== undefined && raw.headers['content-length'] === undefined)
      headers.push(['Transfer-Encoding', 'chunked']);
    const call = { method: raw.method ?? '', path, headers, body };
    const reply = await exchange(connections.dialer, address, call, signal);
    const from: Prefix = {
      base: basePathOf(raw),
      prefix,
      hosts: [`${address.host}:${address.port}`, address.host, raw.headers.host ?? ''],
    };
    const received = endToEnd(reply.response.rawHeaders).map(([name, value]): [string, string] =>
      name.toLowerCase() === 'location' ? [name, proxiedLocation(value, from)] : [name, value],
    );
    return answerOf(reply, signal, received);
  };

/**
 * What the other end is asked for: what follows the object in the URL, byte for byte, with the whole query. Only where
 * nothing follows does `path` of the query say it (readings, 21).
 */
function targetOf({ raw, path: { path }, query }: ApiRequest) {
  const { pathname, search } = splitTarget(raw.url ?? '/');
  const prefix = path === undefined ? pathname : pathname.slice(0, pathname.length - path.length - 1);
  const proxied = path ?? pathOf(query.get('path') ?? '');
  return { path: `/${proxied}${search === '' ? '' : `?${search}`}`, pathname, prefix };
}

const pathOf = (text: string): string =>
  encodeURI(text.replace(/^\//, '')).replace(/[?#]/g, (character) => encodeURIComponent(character));
