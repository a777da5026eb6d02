// The stop signal of commands that run until they are stopped.

/**
 * Resolves at the first SIGTERM or SIGINT, or when the process that started this one with a channel is gone: a process
 * that is killed cannot stop its children.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      // A process with a listener for the channel does not end by itself.
      process.off('disconnect', stop);
      resolve();
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    process.once('disconnect', stop);
  });
}
