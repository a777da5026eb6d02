// A network between clients and a server that a test can cut: it relays TCP to a port that may change.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Relay {
  readonly port: number;
  /** Ends all connections, and refuses new ones until `join`. */
  cut(): void;
  /** Relays new connections to this port. */
  join(port: number): void;
  close(): Promise<void>;
}

/** Starts a relay to a port of 127.0.0.1. */
export async function startRelay(to: number): Promise<Relay> {
  let port: number | undefined = to;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer((client) => {
    if (port === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    keep(client, upstream);
    keep(upstream, client);
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = (): void => {
    port = undefined;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: end,
    join: (next) => {
      port = next;
    },
    close: async () => {
      end();
      server.close();
      await once(server, 'close');
    },
  };
}
