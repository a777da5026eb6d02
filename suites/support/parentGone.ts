// The runner of the tests ends with the command line that started it, however that ended: nobody would clean up after it.

/** Ends this process once the other end of its standard input is gone. */
export function endWithParent(): void {
  const { stdin } = process;
  stdin.resume();
  stdin.once('end', () => process.exit(1));
  // it must not keep the runner from ending by itself
  (stdin as { unref?: () => void }).unref?.();
}
