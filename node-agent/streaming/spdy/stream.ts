// One stream of a SPDY session, as a Duplex whose halves end independently.
import { Duplex } from 'node:stream';
import { type Frame, resetStatus } from './frame.js';
import type { SpdyHeaders } from './headerBlock.js';

/** The functions of the session for its streams. */
export interface SpdyLink {
  /** Sends a frame. Calls `sent` when the bytes are written, or with the error. */
  send(frame: Frame, sent?: (error?: Error | null) => void): void;
  /** Pauses reading from the peer until `release`: this stream has too many unread bytes. */
  hold(stream: SpdyStream): void;
  release(stream: SpdyStream): void;
}

/** The bytes that a peer may send before a WINDOW_UPDATE: the initial window of every session (2.6.8). */
const windowBytes = 64 * 1024;
/** The bytes of one WINDOW_UPDATE: one update for each small frame would double the traffic. */
const updateBytes = windowBytes / 4;
/** The unread bytes at which the session is paused: most clients of Kubernetes ignore windows. */
const holdBytes = 256 * 1024;
/** The most bytes of one DATA frame, so that streams share the connection fairly. */
const frameBytes = 32 * 1024;

/** A stream. `end()` ends the writing half (FIN); `destroy()` ends both halves (RST_STREAM). */
export class SpdyStream extends Duplex {
  readonly #link: SpdyLink;
  #unacknowledged = 0;
  #receivedAll: boolean;
  #sentAll = false;
  #tellPeer = true;

  constructor(
    readonly id: number,
    readonly headers: SpdyHeaders,
    link: SpdyLink,
    open: { readonly reading: boolean; readonly writing: boolean } = { reading: true, writing: true },
  ) {
    super({ readableHighWaterMark: windowBytes, writableHighWaterMark: frameBytes });
    this.#link = link;
    this.#receivedAll = !open.reading;
    if (!open.reading) this.push(null);
    if (!open.writing) {
      this.#sentAll = true;
      this.end();
    }
    // Readers and writers receive the error; without them, an unhandled error would end the process.
    this.on('error', () => {});
  }

  /** Receives data of the peer. Returns false if the peer has already ended its half. */
  receive(data: Buffer, fin: boolean): boolean {
    if (this.#receivedAll) return false;
    this.#receivedAll = fin;
    if (this.destroyed) return true;
    if (data.length > 0) {
      this.#unacknowledged += data.length;
      if (this.push(data)) this.#acknowledge();
      else if (this.readableLength > holdBytes) this.#link.hold(this);
    }
    if (fin) this.push(null);
    return true;
  }

  /** Ends the stream without a frame, because the peer has reset the stream or the session is lost. */
  abandon(reason: string): void {
    this.#tellPeer = false;
    this.destroy(new Error(reason));
  }

  override _read(): void {
    this.#link.release(this);
    this.#acknowledge();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    for (let at = 0; at < chunk.length; at += frameBytes) {
      const data = chunk.subarray(at, at + frameBytes);
      const isLast = at + frameBytes >= chunk.length;
      this.#link.send({ type: 'data', streamId: this.id, fin: false, data }, isLast ? done : undefined);
    }
    if (chunk.length === 0) done();
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#sentAll) {
      done();
      return;
    }
    this.#sentAll = true;
    this.#link.send({ type: 'data', streamId: this.id, fin: true, data: Buffer.alloc(0) }, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const isOver = this.#receivedAll && this.#sentAll;
    if (this.#tellPeer && !isOver)
      this.#link.send({ type: 'rstStream', streamId: this.id, status: resetStatus.cancel });
    this.#link.release(this);
    done(error);
  }

  #acknowledge(): void {
    if (this.#unacknowledged < updateBytes || this.#receivedAll) return;
    this.#link.send({ type: 'windowUpdate', streamId: this.id, delta: this.#unacknowledged });
    this.#unacknowledged = 0;
  }
}
