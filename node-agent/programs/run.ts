// Runs a program to its end: by itself, by a signal, or by an error, which is a line on its standard error.
import { Failure, type Process, type Program, Signal, yieldToOthers } from './program.js';
import { BrokenPipe, type Output, turn } from './streams.js';

/** The exit code of a program that writes where nobody reads (SIGPIPE). */
const brokenPipe = 141;

/** Runs a program; its exit code, which is 128 and the signal's number where a signal ended it. Never rejects. */
export async function run(program: Program, process: Process): Promise<number> {
  const { signal, stdout, stderr } = process;
  if (signal.aborted) return exitCodeOf(signal.reason, process);
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    const guarded = { ...process, stdout: guard(stdout, signal), stderr: guard(stderr, signal) };
    const ended = program(guarded);
    // whoever loses the race still ends, and says nothing
    ended.catch(() => {});
    stopped.catch(() => {});
    return await Promise.race([ended, stopped]);
  } catch (error) {
    return await exitCodeOf(error, process);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** What a program writes after its end goes nowhere, and ends it. */
function guard({ write }: Output, signal: AbortSignal): Output {
  let writes = 0;
  return {
    write: async (chunk) => {
      if (++writes % turn === 0) await yieldToOthers(signal);
      signal.throwIfAborted();
      await write(chunk);
    },
  };
}

async function exitCodeOf(error: unknown, { argv, stderr }: Process): Promise<number> {
  if (error instanceof Signal) return error.exitCode;
  if (error instanceof BrokenPipe) return brokenPipe;
  const message = error instanceof Error ? error.message : String(error);
  await stderr.write(Buffer.from(`${argv[0] ?? 'program'}: ${message}\n`)).catch(() => {});
  return error instanceof Failure ? error.exitCode : 1;
}
