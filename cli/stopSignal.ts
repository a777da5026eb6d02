// When a command that runs until it is told to stop has to stop.

/** Resolves at the first SIGTERM or SIGINT. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}
