// Connections to nodes and pods: direct, or through an egress proxy.
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { firstOf } from '../../matrix/api/signals.js';
import { connected, encrypted } from '../remote/connected.js';
import { isLoopback, requireAllowed, requireOthers } from './addresses.js';

/** The address of a connection, encrypted if `tls` is set. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly tls?: ConnectionOptions;
}

/** The time limit for a connection, in milliseconds. */
const patience = 10_000;

export class Dialer {
  /** `egressProxy`: a Unix socket that serves HTTP CONNECT. With `takesLoopback`, this machine is reached by loopback. */
  constructor(
    readonly egressProxy?: string,
    readonly takesLoopback = false,
  ) {}

  /**
   * Connects to an address. Throws 400 if the address is not allowed. Rejects with another error if it cannot be
   * reached.
   */
  async dial({ host, port, tls }: Address, signal: AbortSignal): Promise<Socket> {
    const isOwn = this.takesLoopback && isLoopback(host);
    if (isIP(host) > 0 && !isOwn) requireAllowed(host);
    const bounded = firstOf(signal, AbortSignal.timeout(patience));
    const { egressProxy, takesLoopback } = this;
    const plain =
      egressProxy === undefined || isOwn
        ? await directly(host, port, bounded, takesLoopback)
        : await through(egressProxy, isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`, bounded);
    return tls === undefined ? plain : await encrypted(host, { ...tls, socket: plain }, bounded);
  }
}

/** Dials the checked address: a second lookup of the name could return another address. */
async function directly(host: string, port: number, signal: AbortSignal, takesLoopback: boolean): Promise<Socket> {
  const { address } = await lookup(host);
  if (!(takesLoopback && isLoopback(address))) requireOthers(address);
  signal.throwIfAborted();
  return await connected(connect({ host: address, port, allowHalfOpen: true }), 'connect', signal);
}

async function through(socketPath: string, authority: string, signal: AbortSignal): Promise<Socket> {
  const asked = request({ socketPath, method: 'CONNECT', path: authority, headers: { host: authority }, signal });
  const [response, socket, head] = await once(asked.end(), 'connect');
  if (response.statusCode !== 200) {
    socket.destroy();
    throw new Error(`the egress proxy answers ${response.statusCode} for ${authority}`);
  }
  if (head.length > 0) socket.unshift(head);
  return socket;
}
