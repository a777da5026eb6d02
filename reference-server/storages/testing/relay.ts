// A relay between a server and another one, which tests cut or delay: a network that fails.
import { connect, createServer, type Server, type Socket } from 'node:net';

export class Relay {
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  /** How long everything takes from the client to the server, in milliseconds. */
  delay = 0;
  /** How many connections it has refused. */
  refused = 0;

  private constructor(
    readonly server: Server,
    readonly to: number,
  ) {}

  /** Starts a relay to a port of loopback. */
  static start(to: number): Promise<Relay> {
    return new Promise((resolve) => {
      const server = createServer((socket) => relay.#pass(socket));
      const relay = new Relay(server, to);
      server.listen(0, '127.0.0.1', () => resolve(relay));
    });
  }

  get port(): number {
    return (this.server.address() as { readonly port: number }).port;
  }

  /** Ends all connections and refuses new ones, or lets them pass again. */
  cut(isCut: boolean): void {
    this.#isCut = isCut;
    if (isCut) for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  close(): void {
    this.cut(true);
    this.server.close();
  }

  #pass(socket: Socket): void {
    if (this.#isCut) {
      this.refused += 1;
      socket.resetAndDestroy();
      return;
    }
    const other = connect(this.to, '127.0.0.1');
    for (const each of [socket, other]) {
      this.#sockets.add(each);
      each.on('error', () => {});
      each.once('close', () => {
        this.#sockets.delete(each);
        socket.destroy();
        other.destroy();
      });
    }
    other.pipe(socket);
    socket.on('data', (bytes) => {
      if (this.delay === 0) other.write(bytes);
      else setTimeout(() => other.writable && other.write(bytes), this.delay);
    });
  }
}
