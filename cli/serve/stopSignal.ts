// The stop signal of commands that run until they are stopped.
import { onParentEnd } from './parentProcess.js';

export const exitWithParentFlag = [
  '--exit-with-parent',
  'end when the process that started this command has ended, also when it was killed',
] as const;

export interface StopFlags {
  readonly exitWithParent?: boolean;
}

/**
 * Resolves at the first SIGTERM or SIGINT, or when the process that started this one with a channel is gone: a process
 * that is killed cannot stop its children. With `exitWithParent`, any parent counts.
 */
export function stopSignal({ exitWithParent = false }: StopFlags = {}): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      // A process with a listener for the channel does not end by itself.
      process.off('disconnect', stop);
      stopLooking();
      resolve();
    };
    const stopLooking = exitWithParent ? onParentEnd(stop) : () => {};
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    process.once('disconnect', stop);
  });
}
