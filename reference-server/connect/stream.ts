// Exec, attach and port-forward: connections into a pod, which its node serves and this server joins with the client.
import { badRequest } from '../errors.js';
import { flag } from '../query/parameters.js';
import { type ApiRequest, type Handler, objectKeyOf } from '../request.js';
import { exchange } from './backend.js';
import { portFrom } from './destination.js';
import { forwarded, upgradeOf } from './headers.js';
import { answerOf } from './join.js';
import { kubeletOf, kubeletPath } from './kubelet.js';
import { type ConnectDependencies, containerOf, nodeOf, podAt } from './target.js';

interface Streams {
  /** The kubelet's name of the operation. */
  readonly operation: string;
  readonly intoContainer: boolean;
  /** The kubelet's spelling of the query. */
  readonly query: (request: ApiRequest) => URLSearchParams;
}

const connect =
  ({ operation, intoContainer, query }: Streams) =>
  ({ registry, connections }: ConnectDependencies): Handler =>
  async (request) => {
    const { raw, signal } = request;
    const key = objectKeyOf(request);
    const { namespace = '', name } = key;
    const pod = await podAt(registry, key);
    const container = intoContainer ? [containerOf(pod, request.query.get('container'))] : [];
    const node = await nodeOf(registry, pod);
    if (node === undefined) throw badRequest(`pod ${name} does not have a host assigned`);
    const upgrade = upgradeOf(raw);
    if (upgrade === undefined) throw badRequest('Upgrade request required');
    const address = kubeletOf(node, connections);
    const passed = forwarded(raw).filter(([header]) => header.toLowerCase() !== 'host');
    const call = {
      method: raw.method ?? '',
      path: kubeletPath(operation, [namespace, name, ...container], query(request)),
      headers: [['Host', `${address.host}:${address.port}`] as const, ...passed, ...upgrade],
    };
    return answerOf(await exchange(connections.dialer, address, call, signal), signal);
  };

/**
 * Returns the streams of a session (Connect and proxy operations): stdout and stderr unless declined, stdin and tty if
 * requested. On a terminal, stderr is part of stdout. A SPDY client opens only the streams that it names, and the node
 * waits for all streams, so a client that names one output gets no other one by default.
 */
function streams({ query, headers }: ApiRequest): URLSearchParams {
  const asked = new URLSearchParams();
  const tty = flag(query, 'tty');
  const namesAll = headers.upgrade?.toLowerCase().startsWith('spdy/') === true;
  const wants = (name: string, other: string) =>
    query.has(name) ? flag(query, name) : !(namesAll && flag(query, other));
  if (flag(query, 'stdin')) asked.set('input', '1');
  if (wants('stdout', 'stderr')) asked.set('output', '1');
  if (wants('stderr', 'stdout') && !tty) asked.set('error', '1');
  if (tty) asked.set('tty', '1');
  return asked;
}

function command(request: ApiRequest): URLSearchParams {
  const asked = streams(request);
  for (const word of request.query.getAll('command')) asked.append('command', word);
  return asked;
}

/**
 * Returns the requested ports. Only WebSocket clients name ports in the query; over SPDY each stream names its port.
 */
function ports({ query }: ApiRequest): URLSearchParams {
  const named = query.getAll('ports').join(',');
  return new URLSearchParams(named === '' ? {} : { port: named.split(',').map(portFrom).join(',') });
}

export const attach = connect({ operation: 'attach', intoContainer: true, query: streams });
export const exec = connect({ operation: 'exec', intoContainer: true, query: command });
export const portforward = connect({ operation: 'portForward', intoContainer: false, query: ports });
