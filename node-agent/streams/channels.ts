// Channels of a WebSocket: every message starts with the number of the stream that it belongs to.
import { Readable, Writable } from 'node:stream';
import type { WebSocket } from 'ws';

/** `binary`: the number is a byte. `base64`: messages are text, the number is a digit and base64 follows it. */
export type ChannelCodec = 'binary' | 'base64';

/** Bytes of one channel that nobody has read at which the WebSocket is read no more. */
const highWaterMark = 64 * 1024;
/** Bytes of one message: a long write becomes several. */
const messageBytes = 32 * 1024;
/** The channel of `v5.channel.k8s.io` on which the client ends another: its number is the message. */
const closeChannel = 255;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Never throws: a client that vanishes or sends what is no message of the codec ends all channels. */
export class Channels {
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly #webSocket: WebSocket;
  readonly #codec: ChannelCodec;
  readonly #closes: boolean;
  readonly #readable = new Map<number, Readable>();
  readonly #full = new Set<number>();
  /** Set once the goodbye is said: what still arrives is read and dropped. */
  #draining = false;

  /** `closes`: channel 255 ends other channels, as in version 5 of the protocol. */
  constructor(webSocket: WebSocket, codec: ChannelCodec, { closes = false }: { readonly closes?: boolean } = {}) {
    this.#webSocket = webSocket;
    this.#codec = codec;
    this.#closes = closes;
    const gone = new AbortController();
    this.signal = gone.signal;
    webSocket.on('message', (message: Buffer) => this.#receive(message));
    webSocket.once('close', () => {
      gone.abort();
      for (const channel of this.#readable.values()) if (!channel.destroyed) channel.push(null);
    });
  }

  /** What the client sends on this channel; messages on a channel that nobody asked for are dropped. */
  readable(channel: number): Readable {
    const readable = new Readable({ highWaterMark, read: () => this.#resume(channel) });
    readable.on('error', () => {});
    // nobody reads it any more: what comes is dropped
    readable.on('close', () => {
      this.#readable.delete(channel);
      this.#resume(channel);
    });
    this.#readable.set(channel, readable);
    return readable;
  }

  /** What is written goes to the client on this channel. */
  writable(channel: number): Writable {
    const writable = new Writable({
      highWaterMark,
      write: (chunk: Buffer, _, done) => this.#send(channel, chunk, done),
    });
    writable.on('error', () => {});
    return writable;
  }

  /** A message without content: kubelets send one on the first channel that they write, so that clients see it is up. */
  announce(channel: number): void {
    this.#webSocket.send(this.#encode(channel, Buffer.alloc(0)), () => {});
  }

  /** Says goodbye after what was written, and waits (for seconds at most) until the connection is gone. */
  async close(): Promise<void> {
    if (this.#webSocket.readyState === this.#webSocket.CLOSED) return;
    const closed = new Promise((resolve) => this.#webSocket.once('close', resolve));
    this.#draining = true;
    this.#webSocket.resume();
    this.#webSocket.close(1000);
    await closed;
  }

  #receive(message: Buffer): void {
    const first = message[0];
    if (first === undefined || this.#draining) return;
    const isText = this.#codec === 'base64';
    const content = isText ? decodeBase64(message.toString('latin1', 1)) : message.subarray(1);
    const number = isText ? first - 0x30 : first;
    if (content === undefined) this.#webSocket.close(1007, 'the message is not base64');
    else if (this.#closes && number === closeChannel) this.#endReading(content[0]);
    else this.#deliver(number, content);
  }

  #deliver(number: number, content: Buffer): void {
    const channel = this.#readable.get(number);
    if (channel === undefined || content.length === 0 || channel.push(content)) return;
    this.#full.add(number);
    this.#webSocket.pause();
  }

  #endReading(number: number | undefined): void {
    const channel = this.#readable.get(number ?? closeChannel);
    if (number !== undefined) this.#readable.delete(number);
    channel?.push(null);
  }

  #resume(channel: number): void {
    if (this.#full.delete(channel) && this.#full.size === 0) this.#webSocket.resume();
  }

  #send(channel: number, chunk: Buffer, done: (error?: Error | null) => void): void {
    for (let at = 0; at < chunk.length; at += messageBytes) {
      const message = this.#encode(channel, chunk.subarray(at, at + messageBytes));
      this.#webSocket.send(message, at + messageBytes >= chunk.length ? (error) => done(error) : () => {});
    }
    if (chunk.length === 0) done();
  }

  #encode(channel: number, content: Buffer): Buffer | string {
    if (this.#codec === 'base64') return String.fromCharCode(0x30 + channel) + content.toString('base64');
    return Buffer.concat([Buffer.of(channel), content]);
  }
}

function decodeBase64(text: string): Buffer | undefined {
  return base64.test(text) ? Buffer.from(text, 'base64') : undefined;
}
