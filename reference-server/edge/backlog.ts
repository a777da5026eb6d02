// The limits of a slow client: the bytes that wait in its socket, and for how long.
import type { Writable } from 'node:stream';

export interface BacklogLimits {
  /** The most bytes that wait for a client. Above it, no more events are written. */
  readonly bytes: number;
  /** The time limit until the client has read all of them, in milliseconds. Then its connection is destroyed. */
  readonly milliseconds: number;
}

export const defaultLimits: BacklogLimits = { bytes: 256 * 1024, milliseconds: 60_000 };

/** The bytes that wait in one socket. */
export class Backlog {
  constructor(
    readonly socket: Writable,
    readonly limits: BacklogLimits,
  ) {}

  /** Whether more bytes may be written. */
  get hasRoom(): boolean {
    return !this.socket.destroyed && this.socket.writableLength < this.limits.bytes;
  }

  /**
   * Resolves when the client has read everything or disconnected. Destroys the connection of a client that takes too
   * long.
   */
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
