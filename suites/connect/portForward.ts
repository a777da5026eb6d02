// A port-forward from the client's view: connections to ports of a pod, over any transport.
import { Duplex } from 'node:stream';
import type { Client } from '../client/client.js';
import { fail } from '../client/expect.js';
import { Reply } from '../client/reply.js';
import type { Channel } from '../client/streams/channel.js';
import { Channels } from '../client/streams/channels.js';
import { socketForm } from './transports.js';

export interface PortForwardCall {
  readonly method: string;
  /** The path without a query. */
  readonly path: string;
  readonly transport: string;
  /** The ports. A WebSocket needs them in advance and has one connection for each. */
  readonly ports: readonly number[];
  readonly headers?: Readonly<Record<string, string>>;
}

interface Connection {
  readonly stream: Duplex;
  /** Waits until the backend has sent an error. Returns an empty text if it sent none. */
  trouble(): Promise<string>;
}

export interface PortForward {
  readonly protocol: string;
  connect(port: number): Promise<Connection>;
  /** Returns the backend's violation of the transport's rules; undefined if there is none. */
  fault(): string | undefined;
}

/**
 * Opens the port-forward, passes it to `read`, and cuts the connection when `read` is done. If the target refuses,
 * `read` gets the response.
 */
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
        // both channels begin with the number of the port
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
        // the client never sends anything on the error stream
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

/** A channel as a Duplex; skips the first received bytes. */
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
