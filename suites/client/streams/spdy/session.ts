// The client's side of a SPDY/3.1 connection: opens streams and keeps their received bytes.
import type { Duplex } from 'node:stream';
import type { FrameLog } from '../../evidence/writer.js';
import { Changes } from '../changes.js';
import { Channel } from '../channel.js';
import { controlFrame, dataFrame, FrameReader, fin, type SpdyFrame, uint32 } from './frames.js';
import { HeaderBlocks, type SpdyHeaders } from './headers.js';

/** The maximum size of one data frame, in bytes. Longer content is sent in several frames. */
const frameBytes = 32 * 1024;
/** The maximum number of bytes that are read from one connection. */
const most = 64 * 1024 * 1024;

export class SpdySession {
  readonly changes = new Changes();
  readonly #socket: Duplex;
  readonly #log: FrameLog;
  readonly #blocks = new HeaderBlocks();
  readonly #channels = new Map<number, Channel>();
  readonly #replied = new Set<number>();
  #next = 1;
  #closed = false;
  #fault: string | undefined;

  constructor(socket: Duplex, log: FrameLog) {
    this.#socket = socket;
    this.#log = log;
    // The end of the channels reports a broken connection.
    socket.on('error', () => undefined);
    this.#read().catch((error: unknown) => this.#break(error));
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The violation of SPDY/3.1 by the server; undefined if there is none. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /**
   * Opens a stream; the one before must have been opened. Sends no window updates and does not wait for any: neither
   * the clients nor the servers of this protocol do, and a relay drops pending bytes when one of its connections is
   * closed.
   */
  async open(headers: SpdyHeaders): Promise<Channel> {
    const id = this.#next;
    this.#next += 2;
    const channel = new Channel(
      id,
      { write: (content) => this.#write(id, content), end: () => this.#end(id) },
      this.changes,
    );
    this.#channels.set(id, channel);
    this.#log.note('sent', id, Buffer.from(JSON.stringify(headers)));
    const block = await this.#blocks.encode(headers);
    this.#send(controlFrame('synStream', id, Buffer.concat([uint32(0), Buffer.alloc(2), block])));
    return channel;
  }

  /** Reports whether the server has accepted the stream. */
  accepted({ id }: Channel): boolean {
    return this.#replied.has(id);
  }

  /** Closes the connection at once. */
  cut(): void {
    this.#socket.destroy();
    this.#over();
  }

  #write(stream: number, content: Buffer): void {
    this.#log.note('sent', stream, content);
    for (let at = 0; at < content.length; at += frameBytes) {
      this.#send(dataFrame(stream, content.subarray(at, at + frameBytes)));
    }
  }

  #end(stream: number): void {
    this.#log.note('sent', stream, Buffer.alloc(0));
    this.#send(dataFrame(stream, Buffer.alloc(0), true));
  }

  #send(bytes: Buffer): void {
    if (!this.#closed && this.#socket.writable) this.#socket.write(bytes);
  }

  async #read(): Promise<void> {
    const reader = new FrameReader();
    let read = 0;
    for await (const chunk of this.#socket as AsyncIterable<Buffer>) {
      read += chunk.length;
      if (read > most) throw new Error(`more than ${most} bytes came`);
      for (const frame of reader.push(chunk)) await this.#take(frame);
    }
    this.#over();
  }

  async #take({ kind, flags, stream, payload }: SpdyFrame): Promise<void> {
    const channel = this.#channels.get(stream);
    if (kind === 'data') {
      this.#log.note('received', stream, payload);
      if (payload.length > 0) channel?.take(Buffer.from(payload));
    } else if (kind === 'synReply' || kind === 'headers') {
      const headers = await this.#blocks.decode(payload);
      this.#log.note('received', stream, Buffer.from(JSON.stringify(headers)));
      if (kind === 'synReply') this.#replied.add(stream);
    } else if (kind === 'rst') channel?.over('reset');
    else if (kind === 'goAway' && payload.length >= 4 && payload.readUInt32BE(0) !== 0) {
      this.#fault ??= `the other end says that the protocol was broken: ${payload.readUInt32BE(0)}`;
    } else if (kind === 'ping' && stream % 2 === 0) this.#send(controlFrame('ping', stream, Buffer.alloc(0)));
    if ((kind === 'data' || kind === 'synReply') && (flags & fin) !== 0) channel?.over('whole');
    this.changes.happened();
  }

  #break(error: unknown): void {
    // An error in the bytes of a closed connection does not count.
    if (!this.#closed) this.#fault = error instanceof Error ? error.message : String(error);
    this.cut();
  }

  #over(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#blocks.close();
    for (const channel of this.#channels.values()) channel.over('gone');
    this.changes.happened();
  }
}
