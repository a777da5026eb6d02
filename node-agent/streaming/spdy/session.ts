// A SPDY/3.1 session over any byte stream: streams, pings, back-pressure, and an orderly end.
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { encodeFrame, type Frame, FrameDecoder, goAwayStatus, resetStatus, type SynStream } from './frame.js';
import { HeaderCompressor, type SpdyHeaders, SpdyProtocolError } from './headerBlock.js';
import { type SpdyLink, SpdyStream } from './stream.js';

/** The limits of one session, in streams, frames and milliseconds. */
const limits = {
  openStreams: 1000,
  /** The unsent replies, pings and resets at which the session stops reading. */
  unsentAnswers: 1000,
  /** The period of pings: only a write shows that a peer has vanished. */
  pingInterval: 10_000,
  /** The time for the peer to read the remaining data and disconnect after the end of a session. */
  linger: 5_000,
};

export interface SpdySessionOptions {
  readonly role: 'client' | 'server';
  /** Decides about a stream that the peer opens; false refuses it. The function may write to the stream. */
  readonly accept?: (stream: SpdyStream) => boolean;
}

/** Never throws or emits an error: a protocol error of the peer, or a lost peer, ends the session. */
export class SpdySession {
  /** Resolves when the connection is closed; all open streams have failed by then. */
  readonly closed: Promise<void>;
  readonly #transport: Duplex;
  readonly #accept: (stream: SpdyStream) => boolean;
  readonly #isServer: boolean;
  readonly #streams = new Map<number, SpdyStream>();
  readonly #holding = new Set<unknown>();
  readonly #decoder = new FrameDecoder();
  readonly #compressor = new HeaderCompressor();
  readonly #link: SpdyLink;
  readonly #pings: NodeJS.Timeout;
  #nextId: number;
  #lastPeerId = 0;
  #unsentAnswers = 0;
  /** True after the end of the session: later bytes are dropped. */
  #draining = false;

  constructor(transport: Duplex, { role, accept = () => false }: SpdySessionOptions) {
    this.#transport = transport;
    this.#accept = accept;
    this.#isServer = role === 'server';
    this.#nextId = this.#isServer ? 2 : 1;
    this.#link = {
      send: (frame, sent) => this.#send(frame, sent),
      hold: (stream) => this.#hold(stream),
      release: (stream) => this.#release(stream),
    };
    let pingId = this.#nextId;
    this.#pings = setInterval(() => {
      this.#send({ type: 'ping', id: pingId });
      pingId = (pingId + 2) % 2 ** 32;
    }, limits.pingInterval).unref();
    this.closed = new Promise((resolve) => {
      transport.once('close', () => {
        this.#lose('the connection was lost');
        resolve();
      });
    });
    transport.on('error', () => transport.destroy());
    transport.on('end', () => transport.destroy());
    transport.on('data', (bytes: Buffer) => this.#receive(bytes));
  }

  /** Opens a stream, which is writable at once. */
  open(headers: SpdyHeaders): SpdyStream {
    const id = this.#nextId;
    this.#nextId += 2;
    const stream = new SpdyStream(id, headers, this.#link);
    this.#keep(stream);
    this.#send({ type: 'synStream', streamId: id, fin: false, unidirectional: false, headers });
    return stream;
  }

  /**
   * Ends all streams after their writes, then the session. Resolves when the connection is closed, at most a few
   * seconds later.
   */
  async close(): Promise<void> {
    const deadline = setTimeout(() => this.#transport.destroy(), limits.linger);
    const streams = [...this.#streams.values()];
    for (const stream of streams) if (!stream.writableEnded) stream.end();
    await Promise.allSettled(streams.map((stream) => finished(stream, { readable: false, cleanup: true })));
    this.#end(goAwayStatus.ok, 'the session was closed');
    await this.closed;
    clearTimeout(deadline);
  }

  #receive(bytes: Buffer): void {
    if (this.#draining) return;
    try {
      for (const frame of this.#decoder.decode(bytes)) {
        this.#handle(frame);
        if (this.#draining) return;
      }
    } catch (error) {
      if (!(error instanceof SpdyProtocolError)) throw error;
      this.#end(goAwayStatus.protocolError, error.message);
      setTimeout(() => this.#transport.destroy(), limits.linger).unref();
    }
  }

  #handle(frame: Frame): void {
    switch (frame.type) {
      case 'synStream':
        this.#handleOpen(frame);
        return;
      case 'data':
        this.#handleData(frame.streamId, frame.data, frame.fin);
        return;
      case 'synReply':
      case 'headers':
        if (frame.fin) this.#handleData(frame.streamId, Buffer.alloc(0), true);
        return;
      case 'rstStream':
        this.#streams.get(frame.streamId)?.abandon('the peer reset the stream');
        return;
      case 'ping':
        // Pings of clients have odd ids, those of servers even ones. Only the peer's pings are answered (2.6.5).
        if ((frame.id % 2 === 1) === this.#isServer) this.#answer(frame);
        return;
      default:
        // WINDOW_UPDATE and GOAWAY: clients of Kubernetes send no windows, so the session does not wait for them; the
        // connection sets the pace. After a GOAWAY, the peer disconnects.
        return;
    }
  }

  #handleOpen({ streamId, fin, unidirectional, headers }: SynStream): void {
    if ((streamId % 2 === 1) !== this.#isServer || streamId <= this.#lastPeerId)
      throw new SpdyProtocolError('a stream was opened with an id that is not the next one');
    this.#lastPeerId = streamId;
    const stream = new SpdyStream(streamId, headers, this.#link, { reading: !fin, writing: !unidirectional });
    // Send the reply before the writes of `accept`.
    stream.cork();
    if (this.#streams.size >= limits.openStreams || !this.#accept(stream)) {
      stream.abandon('the stream was refused');
      this.#answer({ type: 'rstStream', streamId, status: resetStatus.refusedStream });
      return;
    }
    this.#keep(stream);
    if (!unidirectional) this.#answer({ type: 'synReply', streamId, fin: false, headers: new Map() });
    stream.uncork();
  }

  #handleData(streamId: number, data: Buffer, fin: boolean): void {
    const stream = this.#streams.get(streamId);
    if (stream !== undefined && !stream.receive(data, fin)) stream.destroy();
    // Data of a stream that has ended may still arrive.
    const wasOpened = (streamId % 2 === 1) === this.#isServer ? streamId <= this.#lastPeerId : streamId < this.#nextId;
    if (!wasOpened) this.#answer({ type: 'rstStream', streamId, status: resetStatus.invalidStream });
  }

  #keep(stream: SpdyStream): void {
    this.#streams.set(stream.id, stream);
    stream.once('close', () => this.#streams.delete(stream.id));
  }

  #send(frame: Frame, sent?: (error?: Error | null) => void): void {
    const isOpen = !this.#draining && !this.#transport.writableEnded && !this.#transport.destroyed;
    if (isOpen) this.#transport.write(encodeFrame(frame, this.#compressor), sent);
    else sent?.(new Error('the connection is closed'));
  }

  /** Sends a reply. The session stops reading from a peer that does not read its replies. */
  #answer(frame: Frame): void {
    this.#unsentAnswers++;
    if (this.#unsentAnswers > limits.unsentAnswers) this.#hold(this);
    this.#send(frame, () => {
      this.#unsentAnswers--;
      if (this.#unsentAnswers === 0) this.#release(this);
    });
  }

  #hold(holder: unknown): void {
    if (this.#draining) return;
    this.#holding.add(holder);
    this.#transport.pause();
  }

  #release(holder: unknown): void {
    if (this.#holding.delete(holder) && this.#holding.size === 0) this.#transport.resume();
  }

  #end(status: number, reason: string): void {
    if (this.#draining) return;
    this.#send({ type: 'goAway', lastStreamId: this.#lastPeerId, status });
    this.#lose(reason);
    // Read on, because a reset of the connection could drop sent data.
    this.#transport.resume();
    this.#transport.end();
  }

  #lose(reason: string): void {
    this.#draining = true;
    clearInterval(this.#pings);
    for (const stream of this.#streams.values()) stream.abandon(reason);
    this.#holding.clear();
  }
}
