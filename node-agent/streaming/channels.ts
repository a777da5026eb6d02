// Channels of a WebSocket: each message starts with its channel number.
import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';

/** With `binary`, the channel number is a byte. With `base64`, messages are text: a digit, then base64. */
export type ChannelCodec = 'binary' | 'base64';

/** The unread bytes of one channel at which the WebSocket is paused. */
const highWaterMark = 64 * 1024;
/** The most bytes of one message; longer writes become several messages. */
const messageBytes = 32 * 1024;
/**
 * The channel of `v5.channel.k8s.io` on which the client closes another channel. The message is the number of that
 * channel.
 */
const closeChannel = 255;
/** How long a closing waits for messages that the client does not read, in milliseconds. */
const patience = 5_000;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Never throws: a disconnected client, or an invalid message, ends all channels. */
export class Channels {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  readonly #webSocket: WebSocket;
  readonly #codec: ChannelCodec;
  readonly #closes: boolean;
  readonly #readable = new Map<number, Readable>();
  readonly #full = new Set<number>();
  /**
   * Resolves when all messages are sent. Each is written by itself, and so has a TLS record of its own, as from a
   * kubelet: clients that ask their socket whether there is more do not see what their TLS has already read.
   */
  #sent: Promise<unknown> = Promise.resolve();
  /** True after the close frame is sent: later messages are read and dropped. */
  #draining = false;

  /** With `closes`, channel 255 closes other channels, as in version 5 of the protocol. */
  constructor(webSocket: WebSocket, codec: ChannelCodec, { closes = false }: { readonly closes?: boolean } = {}) {
    this.#webSocket = webSocket;
    this.#codec = codec;
    this.#closes = closes;
    const disconnected = new AbortController();
    this.signal = disconnected.signal;
    webSocket.on('message', (message: Buffer) => this.#receive(message));
    webSocket.once('close', () => {
      disconnected.abort();
      for (const channel of this.#readable.values()) if (!channel.destroyed) channel.push(null);
    });
  }

  /** Returns the client's messages on this channel. Messages on a channel without a readable are dropped. */
  readable(channel: number): Readable {
    const readable = new Readable({ highWaterMark, read: () => this.#resume(channel) });
    readable.on('error', () => {});
    // From here on, its messages are dropped.
    readable.on('close', () => {
      this.#readable.delete(channel);
      this.#resume(channel);
    });
    this.#readable.set(channel, readable);
    return readable;
  }

  writable(channel: number): Writable {
    const writable = new Writable({
      highWaterMark,
      write: (chunk: Buffer, _, done) => void this.#send(channel, chunk).then(() => done(), done),
    });
    writable.on('error', () => {});
    return writable;
  }

  /** Sends an empty message, as kubelets do on their first output channel, to show clients that the stream is ready. */
  announce(channel: number): void {
    this.#sendMessage(channel, Buffer.alloc(0)).catch(() => {});
  }

  /** Closes the WebSocket after all writes. Resolves when the connection is closed, at most a few seconds later. */
  async close(): Promise<void> {
    if (this.#webSocket.readyState === this.#webSocket.CLOSED) return;
    const closed = new Promise((resolve) => this.#webSocket.once('close', resolve));
    this.#draining = true;
    this.#webSocket.resume();
    await Promise.race([this.#sent, closed, delay(patience, undefined, { ref: false })]);
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
    else if (this.#closes && number === closeChannel) this.#endReadable(content[0]);
    else this.#deliver(number, content);
  }

  #deliver(number: number, content: Buffer): void {
    const channel = this.#readable.get(number);
    if (channel === undefined || content.length === 0 || channel.push(content)) return;
    this.#full.add(number);
    this.#webSocket.pause();
  }

  #endReadable(number: number | undefined): void {
    const channel = this.#readable.get(number ?? closeChannel);
    if (number !== undefined) this.#readable.delete(number);
    channel?.push(null);
  }

  #resume(channel: number): void {
    if (this.#full.delete(channel) && this.#full.size === 0) this.#webSocket.resume();
  }

  async #send(channel: number, chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; at += messageBytes) {
      await this.#sendMessage(channel, chunk.subarray(at, at + messageBytes));
    }
  }

  /** Sends a message after all earlier ones. Rejects if the client is gone. */
  #sendMessage(channel: number, content: Buffer): Promise<void> {
    const message = this.#encode(channel, content);
    const write = () =>
      new Promise<void>((resolve, reject) => {
        this.#webSocket.send(message, (error) => (error ? reject(error) : resolve()));
      });
    const sending = this.#sent.then(write);
    this.#sent = sending.catch(() => {});
    return sending;
  }

  #encode(channel: number, content: Buffer): Buffer | string {
    if (this.#codec === 'base64') return String.fromCharCode(0x30 + channel) + content.toString('base64');
    return Buffer.concat([Buffer.of(channel), content]);
  }
}

function decodeBase64(text: string): Buffer | undefined {
  return base64.test(text) ? Buffer.from(text, 'base64') : undefined;
}
