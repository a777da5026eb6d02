// Ends the processes that tests leave behind: those of a failed test after the test, all others at the end of the file.
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeEach, type TestContext } from 'vitest';

/** The processes that this file has started, and that have not ended. */
const running = new Set<ChildProcess>();
/** The processes that were there before each test. */
const before = new WeakMap<TestContext['task'], ReadonlySet<ChildProcess>>();

function note(message: unknown): void {
  const { process: child } = message as { readonly process: ChildProcess };
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Kills a process, and the process group if it leads one. A test may have killed a process that has not ended yet. */
function end(child: ChildProcess): void {
  running.delete(child);
  const { pid, spawnargs, killed } = child;
  if (pid === undefined) return;
  if (!killed) process.stderr.write(`ended what a test left behind: ${spawnargs.join(' ').slice(0, 200)}\n`);
  for (const id of [-pid, pid]) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It leads no group, or has ended.
    }
  }
}

subscribe('child_process', note);
beforeEach(({ task }) => {
  before.set(task, new Set(running));
});
afterEach(({ task }) => {
  // Concurrent tests end with their file: their processes cannot be told apart.
  if (task.result?.state !== 'fail' || task.concurrent) return;
  for (const child of running) if (!before.get(task)?.has(child)) end(child);
});
afterAll(() => {
  unsubscribe('child_process', note);
  for (const child of running) end(child);
});
