// Passes requests on to the servers of other APIs, with the name of their sender.
import type { ConnectionOptions } from 'node:tls';
import { exchange } from '../../connect/backend.js';
import { forwarded, upgradeOf } from '../../connect/headers.js';
import { answerOf } from '../../connect/join.js';
import type { Answer } from '../../request.js';
import { splitTarget } from '../../resolver/resolver.js';
import { StatusError } from '../../statusError.js';
import type { Destination, ServiceAddresses } from '../webhooks/serviceAddress.js';
import { type ApiServiceSpec, backendOf } from './apiService.js';
import { senderHeaders } from './frontProxy.js';
import type { PassOn, Remotes } from './remotes.js';

interface Parts {
  readonly addresses: ServiceAddresses;
  readonly remotes: Remotes;
  tlsOf(spec: ApiServiceSpec): Promise<ConnectionOptions>;
}

/** Makes the handler of the paths of other APIs: `/apis/GROUP/VERSION` and what is below. */
export const proxied =
  ({ addresses, remotes, tlsOf }: Parts): PassOn =>
  async (request, api = request.operation.path.slice(1)) => {
    const { raw, user, signal } = request;
    const { pathname, search } = splitTarget(raw.url ?? '/');
    const [, group = '', version = ''] = api.split('/');
    const remote = remotes.at(group, version);
    const backend = remote?.isAvailable ? backendOf(remote.spec) : undefined;
    if (remote === undefined || backend === undefined) return unavailable('service unavailable');
    let destination: Destination;
    try {
      destination = await addresses.of(backend);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return unavailable('service unavailable');
    }
    const { address, dialer } = destination;
    const upgrade = upgradeOf(raw);
    const body = upgrade === undefined ? request.bodyStream() : undefined;
    const headers = [
      ...forwarded(raw).filter(([name]) => name.toLowerCase() !== 'host'),
      ['Host', `${address.host}:${address.port}`] as const,
      ...senderHeaders(user),
      ...(upgrade ?? []),
    ];
    if (body !== undefined && raw.headers['content-length'] === undefined) {
      headers.push(['Transfer-Encoding', 'chunked']);
    }
    const path = search === '' ? pathname : `${pathname}?${search}`;
    const call = { method: raw.method ?? '', path, headers, body };
    try {
      return answerOf(await exchange(dialer, { ...address, tls: await tlsOf(remote.spec) }, call, signal), signal);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return unavailable(`error trying to reach service: ${error.message}`);
    }
  };

/** The answer of real servers, which is no Status. */
const unavailable = (why: string): Answer => ({
  status: 503,
  headers: { 'X-Content-Type-Options': 'nosniff' },
  raw: `${why}\n`,
  mediaType: 'text/plain; charset=utf-8',
});
