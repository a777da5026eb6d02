// The connections to other servers, which stay open for a while: one handshake serves many requests.
import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How a request gets its connection: from those with the same key, or by dialling. */
export interface Kept {
  /** Connections with the same key lead to the same address, verified with the same authorities. */
  readonly key: string;
  readonly dial: () => Promise<Socket>;
}

/** How long a connection stays without a request, in milliseconds: less than servers usually wait before they close it. */
const idleMillis = 4_000;
/** The most connections without a request, to one address and to all. */
const mostIdleOfOne = 16;
const mostIdle = 64;

/** Keeps connections; the options of a request have what `Kept` has. */
export class KeptConnections extends Agent {
  constructor(
    readonly most = mostIdle,
    timeout = idleMillis,
  ) {
    super({ keepAlive: true, maxFreeSockets: mostIdleOfOne, timeout, scheduling: 'lifo' });
  }

  override createConnection(
    options: AgentOptions & Partial<Kept>,
    made: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    options.dial?.().then(
      (socket) => {
        // One side alone is of no use here, and only a closed connection leaves the others.
        socket.allowHalfOpen = false;
        made(null, socket);
      },
      (error: Error) => made(error),
    );
  }

  override getName(options: ClientRequestArgs & Partial<Kept> = {}): string {
    return options.key ?? '';
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const idle = Object.values(this.freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);
    // The method of the class says so too, but for its type.
    return idle < this.most && (super.keepSocketAlive(socket) as unknown) !== false;
  }
}
