// Which of several servers does the work that only one may do.

/** The choice of one server of a storage. */
export interface Leadership {
  /**
   * Calls `act` whenever this server leads, until the signal aborts. The signal that `act` gets aborts when the server
   * no longer leads; another server leads only after some time, or once `act` has ended.
   */
  whileLeading(act: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** A server that has its storage for itself leads all the time. */
export const alone: Leadership = { whileLeading: (act, signal) => act(signal) };
