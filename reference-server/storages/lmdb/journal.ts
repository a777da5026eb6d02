// The journal of a durable storage: it commits batches of changes and loads the state that they add up to.
import type { Snapshot } from '../../storage/memory.js';
import type { Change } from '../../storage/storage.js';

export interface Journal {
  /** Returns the state after the last committed batch, or undefined if nothing was ever committed. */
  load(): Promise<Snapshot | undefined>;
  /**
   * Writes the changes in one transaction and forgets the history up to `oldest`. Resolves when the changes are
   * durable. Rejects with StorageFull or another error if none of the changes was written.
   */
  commit(changes: readonly Change[], oldest: number): Promise<void>;
  /**
   * Commits changes that free room, on a full disk: the changes may use the reserved room, and all history is
   * forgotten.
   */
  commitLess(changes: readonly Change[]): Promise<void>;
  close(): Promise<void>;
}
