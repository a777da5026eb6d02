// One stream of a SPDY session, as a Duplex whose halves end independently.
import { Duplex } from 'node:stream';
import { type Frame, resetStatus } from './frame.js';
import type { Headers } from './headerBlock.js';

/** What a stream asks of its session. */
export interface SpdyLink {
  /** Sends a frame; `sent` is called when the bytes have left, or with the reason why they never will. */
  send(frame: Frame, sent?: (error?: Error | null) => void): void;
  /** Reads no more from the peer until `release`: this stream holds too much that nobody has read. */
  hold(stream: SpdyStream): void;
  release(stream: SpdyStream): void;
}

/** Bytes that a peer may send before it is told that they were read (2.6.8: every session starts with this). */
const windowBytes = 64 * 1024;
/** Told in portions, so that small frames do not double the traffic. */
const updateBytes = windowBytes / 4;
/** Bytes that nobody has read at which the session stops reading: most clients of Kubernetes ignore windows. */
const holdBytes = 256 * 1024;
/** Bytes of one DATA frame, so that streams share the connection fairly. */
const frameBytes = 32 * 1024;

/** Ends its writing half with `end()` (FIN), both with `destroy()` (RST_STREAM). Errors of the peer end it quietly. */
export class SpdyStream extends Duplex {
  readonly #link: SpdyLink;
  #unacknowledged = 0;
  #receivedAll: boolean;
  #sentAll = false;
  #tellPeer = true;

  constructor(
    readonly id: number,
    readonly headers: Headers,
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
    // whoever reads or writes hears of it; an error that nobody waits for is no fault of the process
    this.on('error', () => {});
  }

  /** What the peer sent. False: it had already ended its half. */
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

  /** The peer reset the stream, or the session is lost: nothing more is sent. */
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
