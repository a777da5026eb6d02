// A port-forward as a client sees it: connections to ports of a pod, whatever carries them.
import { Duplex } from 'node:stream';
import type { Channel } from '../support/channel.js';
import { Channels } from '../support/channels.js';
import type { Client } from '../support/client.js';
import { fail } from '../support/expect.js';
import { Reply } from '../support/reply.js';
import { socketForm } from './transports.js';

export interface PortForwardCall {
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  readonly transport: string;
  /** What a WebSocket must be told beforehand: it has one connection for each. */
  readonly ports: readonly number[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A connection to a port. */
interface Connection {
  readonly stream: Duplex;
  /** Waits until the other end has told an error; empty where it has told none. */
  trouble(): Promise<string>;
}

/** An open port-forward. */
export interface PortForward {
  readonly protocol: string;
  connect(port: number): Promise<Connection>;
  /** What the other end sent against the rules of the transport; undefined for nothing. */
  fault(): string | undefined;
}

/** Opens the port-forward, hands it to `read`, and cuts it when that is done; `read` gets a refusal instead. */
export function withPortForward<T>(
  client: Client,
  call: PortForwardCall,
  read: (forward: PortForward | Reply) => Promise<T>,
): Promise<T> {
  const form = socketForm(call.transport);
  if (form === undefined) return overSpdy(client, call, read);
  const { protocol, channels: channelForm, ends } = form;
  const path = `${call.path}?${call.ports.map((port) => `ports=${port}`).join('&')}`;
  return client.webSocket({ ...call, path, protocols: [protocol], channels: channelForm }, async (opened) => {
    if (opened instanceof Reply) return await read(opened);
    const channels = new Channels(opened, channelForm, ends);
    const pairs = call.ports.map((port, index) => ({
      port,
      data: channels.channel(2 * index),
      error: channels.channel(2 * index + 1),
    }));
    return await read({
      protocol: opened.protocol,
      connect: async (port) => {
        const { data, error } =
          pairs.splice(
            pairs.findIndex((pair) => pair.port === port),
            1,
          )[0] ?? fail(`no port ${port}`);
        const until = (settled: () => boolean) => client.until(channels.changes, settled, () => channels.closed);
        // both begin with the number of the port
        return connectionOf(data, error, until, 2);
      },
      fault: () => (channels.mistaken === 0 ? undefined : `${channels.mistaken} messages of the wrong type`),
    });
  });
}

function overSpdy<T>(
  client: Client,
  call: PortForwardCall,
  read: (forward: PortForward | Reply) => Promise<T>,
): Promise<T> {
  return client.spdy({ ...call, protocols: ['portforward.k8s.io'] }, async (opened, protocol) => {
    if (opened instanceof Reply) return await read(opened);
    let count = 0;
    return await read({
      protocol,
      connect: async (port) => {
        const headers = { port: String(port), requestid: String(count) };
        count += 1;
        const error = await opened.open({ ...headers, streamtype: 'error' });
        // nothing is ever said on it from here
        error.sending.end();
        const data = await opened.open({ ...headers, streamtype: 'data' });
        const until = (settled: () => boolean) => client.until(opened.changes, settled, () => opened.closed);
        return connectionOf(data, error, until, 0);
      },
      fault: () => opened.fault,
    });
  });
}

function connectionOf(
  data: Channel,
  error: Channel,
  until: (settled: () => boolean) => Promise<boolean>,
  skipped: number,
): Connection {
  return {
    stream: new ChannelStream(data, skipped),
    trouble: async () => {
      await until(() => error.bytes.length > skipped || error.end !== undefined);
      return error.bytes.toString('utf8', skipped);
    },
  };
}

/** A channel as a stream; the first bytes of what comes are left out. */
class ChannelStream extends Duplex {
  readonly #channel: Channel;

  constructor(channel: Channel, skipped: number) {
    super({ allowHalfOpen: true });
    this.#channel = channel;
    let left = skipped;
    channel.listen((content) => {
      if (content === undefined) this.push(null);
      else {
        if (content.length > left) this.push(content.subarray(left));
        left = Math.max(0, left - content.length);
      }
    });
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.#channel.sending.write(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.#channel.sending.end();
    done();
  }
}
