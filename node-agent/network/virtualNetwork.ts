// The network of pods and nodes: addresses and connections within this process.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

type Accept = (connection: Duplex) => void;

/** Over UDP, what a connection carries in one piece is a datagram, and neither side sees the end of the other. */
export type Transport = 'tcp' | 'udp';

/** Another program already listens on the address and port. */
export class AddressInUse extends Error {
  override readonly name = 'AddressInUse';
}

/** Nothing listens on an address and port. The message is that of a program in Go. */
export class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused';

  constructor(address: string, port: number, transport: Transport) {
    super(`dial ${transport} ${address}:${port}: connect: connection refused`);
  }
}

/** A port of a node that leads to a pod. */
interface ForwardedPort {
  readonly node: string;
  /** The only address of the node that has the port, which may be its loopback address; undefined for all. */
  readonly address?: string;
  readonly port: number;
  readonly transport: Transport;
  readonly to: { readonly address: string; readonly port: number };
}

export class VirtualNetwork {
  readonly #listeners = new Map<string, Accept>();
  readonly #forwarded = new Set<ForwardedPort>();
  readonly #hosts = new Map<string, string>();
  #lastClientPort = 32_767;

  /** Listens until the signal. Throws AddressInUse. */
  listen(address: string, port: number, signal: AbortSignal, accept: Accept, transport: Transport = 'tcp'): void {
    const key = keyOf(transport, address, port);
    if (this.#listeners.has(key)) throw new AddressInUse(`${address}:${port}: address already in use`);
    if (signal.aborted) return;
    this.#listeners.set(key, accept);
    signal.addEventListener('abort', () => this.#listeners.delete(key), { once: true });
  }

  /** Leads a port of a node to a pod, until the returned function is called. */
  forward(port: ForwardedPort): () => void {
    this.#forwarded.add(port);
    return () => void this.#forwarded.delete(port);
  }

  /** Makes an address reachable by a host name. */
  addHost(name: string, address: string): void {
    this.#hosts.set(name, address);
  }

  /**
   * Returns undefined if nothing listens on the address or host name. A client `from` a loopback address is on that host,
   * and has asked for this one.
   */
  listenerAt(host: string, port: number, transport: Transport = 'tcp', from = ''): Accept | undefined {
    const address = this.#hosts.get(host) ?? host;
    const here = this.#listeners.get(keyOf(transport, address, port));
    if (here !== undefined) return here;
    const asked = isLoopback(from) ? from : address;
    const leads = (each: ForwardedPort) =>
      each.node === address && each.port === port && each.transport === transport && (each.address ?? asked) === asked;
    const { to } = [...this.#forwarded].find(leads) ?? {};
    return to && this.#listeners.get(keyOf(transport, to.address, to.port));
  }

  /** Connects to a listener, which sees the address `from` as that of its client. Throws ConnectionRefused. */
  connect(address: string, port: number, from: string, transport: Transport = 'tcp'): Duplex {
    const accept = this.listenerAt(address, port, transport, from);
    if (accept === undefined) throw new ConnectionRefused(address, port, transport);
    const [client, server] = makeConnection();
    accept(Object.assign(server, { remoteAddress: from, remotePort: this.#clientPort() }));
    return client;
  }

  /** The ports of clients are those that Linux gives, one after the other. */
  #clientPort(): number {
    this.#lastClientPort = this.#lastClientPort >= 60_999 ? 32_768 : this.#lastClientPort + 1;
    return this.#lastClientPort;
  }
}

/** Whether an address is that of the client itself. */
export const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';

const keyOf = (transport: Transport, address: string, port: number): string => `${transport} ${address}:${port}`;

/**
 * Makes the two sockets of a connection. If one is destroyed, the other is destroyed too; if one is closed, the other
 * reads to the end.
 */
export function makeConnection(): [Duplex, Duplex] {
  const [client, server] = duplexPair();
  closeWith(client, server);
  closeWith(server, client);
  return [client, server];
}

function closeWith(socket: Duplex, peer: Duplex): void {
  socket.once('close', () => {
    if (!socket.writableFinished || peer.readableEnded) peer.destroy();
    else peer.once('end', () => peer.destroy());
  });
}

/** A request to a kubelet or to a program of a pod. */
export interface AgentRequest {
  /** `node NAME`, or `pod NAMESPACE/NAME`. */
  readonly to: string;
  readonly method: string;
  /** The path as received, with the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Resolves when the response is complete or the client has disconnected. */
  readonly ended: Promise<void>;
}

export function requestTo(
  to: string,
  { method = '', url = '/', headers }: IncomingMessage,
  response: ServerResponse | Duplex,
): AgentRequest {
  const ended = new Promise<void>((resolve) => response.once('close', () => resolve()));
  return { to, method, path: url, headers, ended };
}
