// The events of a watch, and the interface that they are written to.
import type { Encodable } from '../codecs/codec.js';

/** One event of a watch, before a codec encodes it. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Encodable;
  /** The approximate memory of the object, in bytes, if known. */
  readonly size?: number;
}

/** The destination of watch events: a response or a WebSocket. */
export interface WatchSink {
  /**
   * Writes events together; sinks that get the same array share its bytes. Returns false if the client is too slow, and
   * the caller must wait for `drained` before the next write.
   */
  write(events: readonly WatchEvent[]): boolean;
  /** Resolves when the client has caught up or disconnected. */
  drained(): Promise<void>;
}

/** Writes events until the watch ends. A rejection becomes the last event. */
export type WatchStream = (sink: WatchSink) => Promise<void>;
