// Errors of the command line: those that the user can correct, and all others, which are bugs. Each is one line.
import { annotation } from '../reports/render/annotation.js';

/** An error that the user can correct: printed without a stack. The exit code is 2, or that of a signal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    readonly exitCode = 2,
  ) {
    super(message);
  }
}

/** Whether a job of GitHub Actions runs this process: it shows errors beside the job. */
export const isInGithub = (): boolean => process.env.GITHUB_ACTIONS === 'true';

/** Prints the error that a command ends with, in a job of GitHub Actions also as its annotation. */
export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
  if (isInGithub()) process.stdout.write(annotation('kube-api-conformance', line));
}

/** The exit code of a bug in this program (EX_SOFTWARE); 1 is for verdicts, 2 for errors that the user can correct. */
const bug = 70;
/** If this variable is set, the stack of an unexpected error is printed. */
const variable = 'KUBE_API_CONFORMANCE_VERBOSE';

/** Prints an error that no command expects. Returns the exit code: 2 if the operating system refused, otherwise 70. */
export function reportUnexpected(error: unknown): number {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (process.env[variable]) console.error(error);
  // A full disk, a folder of another user, a port that is taken.
  if (code !== undefined && syscall !== undefined) {
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    printError(`the operating system refused: ${message}${isFull ? ': make room, or write to another disk' : ''}`);
    return 2;
  }
  const [line = ''] = String(error).split('\n');
  const how = process.env[variable]
    ? 'please report it with the lines above'
    : `set ${variable}=1 to see where, and please report it`;
  printError(`this is a bug in kube-api-conformance: ${line}: ${how}`);
  return bug;
}

/**
 * Runs the command of this process. An end of the process before that of the command is a bug too: Node.js ends it, with
 * code 0, when nothing is left that a command could wait for.
 */
export async function toItsEnd(command: () => Promise<unknown>): Promise<void> {
  const tooEarly = (): void => {
    process.exitCode = reportUnexpected(new Error('the command waits for something that never comes'));
  };
  process.once('beforeExit', tooEarly);
  await command().finally(() => process.off('beforeExit', tooEarly));
}
