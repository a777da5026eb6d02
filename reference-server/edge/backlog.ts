// How far a client may fall behind: what waits in its socket is bounded in bytes, and in time.
import type { Writable } from 'node:stream';

export interface BacklogLimits {
  /** So many bytes may wait for a client before it gets no more. */
  readonly bytes: number;
  /** How long they may wait for it to take them all; then it is cut off. */
  readonly milliseconds: number;
}

export const usualLimits: BacklogLimits = { bytes: 256 * 1024, milliseconds: 60_000 };

/** What waits in one socket. */
export class Backlog {
  constructor(
    readonly socket: Writable,
    readonly limits: BacklogLimits,
  ) {}

  /** Whether more may be written. */
  get hasRoom(): boolean {
    return !this.socket.destroyed && this.socket.writableLength < this.limits.bytes;
  }

  /** Resolves when the client has taken everything, or is gone. One that takes too long is cut off. */
  drained(): Promise<void> {
    const { socket } = this;
    if (socket.closed || (!socket.destroyed && !socket.writableNeedDrain)) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => socket.destroy(), this.limits.milliseconds);
      const done = () => {
        clearTimeout(timer);
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.on('drain', done).on('close', done);
    });
  }
}
