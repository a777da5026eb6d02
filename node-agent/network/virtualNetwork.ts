// The network of pods and nodes: addresses and connections within this process.
import { type Duplex, duplexPair } from 'node:stream';

type Accept = (connection: Duplex) => void;

/** Another program already listens on the address and port. */
export class AddressInUse extends Error {
  override readonly name = 'AddressInUse';
}

export class VirtualNetwork {
  readonly #listeners = new Map<string, Accept>();
  readonly #hosts = new Map<string, string>();

  /** Listens until the signal. Throws AddressInUse. */
  listen(address: string, port: number, signal: AbortSignal, accept: Accept): void {
    const key = `${address}:${port}`;
    if (this.#listeners.has(key)) throw new AddressInUse(`${key}: address already in use`);
    if (signal.aborted) return;
    this.#listeners.set(key, accept);
    signal.addEventListener('abort', () => this.#listeners.delete(key), { once: true });
  }

  /** Makes an address reachable by a host name. */
  addHost(name: string, address: string): void {
    this.#hosts.set(name, address);
  }

  /**
   * Returns the function that accepts connections to an address or a host name, or undefined if nothing listens there.
   */
  listenerAt(host: string, port: number): Accept | undefined {
    return this.#listeners.get(`${this.#hosts.get(host) ?? host}:${port}`);
  }

  /** Connects to an address. Returns undefined if nothing listens there. */
  connect(address: string, port: number): Duplex | undefined {
    const accept = this.listenerAt(address, port);
    if (accept === undefined) return undefined;
    const [client, server] = makeConnection();
    accept(server);
    return client;
  }
}

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

/** Closes `peer` after `socket`. */
function closeWith(socket: Duplex, peer: Duplex): void {
  socket.once('close', () => {
    if (!socket.writableFinished || peer.readableEnded) peer.destroy();
    else peer.once('end', () => peer.destroy());
  });
}
