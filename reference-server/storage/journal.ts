// What a durable storage writes to: whole batches of changes, and the state that they add up to.
import type { Snapshot } from './memory.js';
import type { Change } from './storage.js';

export interface Journal {
  /** The state after the last committed batch, or undefined where nothing was ever committed. */
  load(): Promise<Snapshot | undefined>;
  /**
   * Writes the changes in one transaction and forgets history up to `oldest`. Resolves when they are durable; rejects
   * with StorageFull or another error when nothing of them was written.
   */
  commit(changes: readonly Change[], oldest: number): Promise<void>;
  /**
   * Same, for changes after which less is kept, on a disk that is full: they may use room that was set aside for them,
   * and all history is forgotten.
   */
  commitLess(changes: readonly Change[]): Promise<void>;
  close(): Promise<void>;
}
