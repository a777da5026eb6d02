// The end of the process that started this one: a process that is killed cannot stop its children.
import { commandLineOf, exists, parentOf } from '../running.js';

/** How often to look, in milliseconds. */
const interval = 250;

/** A process and the parent that it had when this command started. */
interface Link {
  readonly pid: number;
  readonly parent: number;
}

/**
 * Calls `act` once when the parent of this process has ended, however it ended. Below `npx`, the parent is the process
 * that started `npx` (on Linux; elsewhere it is `npx`). Returns a function that stops looking. Does not keep the
 * process alive.
 */
export function onParentEnd(act: () => void): () => void {
  const links = linksToParent();
  const timer = setInterval(() => {
    if (links.every(holds)) return;
    clearInterval(timer);
    act();
  }, interval).unref();
  return () => clearInterval(timer);
}

/** Returns the links from this process to its parent, over the processes of npm that only wait for their child. */
function linksToParent(): Link[] {
  const own = { pid: process.pid, parent: process.ppid };
  const above = linkOf(own.parent);
  if (above === undefined) return [own];
  if (isNpm(own.parent)) return [own, above];
  // npm starts commands in a shell.
  if (!/^(\S*\/)?\w*sh -c /.test(commandLineOf(own.parent) ?? '') || !isNpm(above.parent)) return [own];
  const top = linkOf(above.parent);
  return top === undefined ? [own, above] : [own, above, top];
}

/** Reports whether the two processes are still there, as parent and child. */
function holds({ pid, parent }: Link): boolean {
  const now = pid === process.pid ? process.ppid : parentOf(pid);
  // A parent outside of the container has no number. On Windows, a process keeps the number of a parent that has ended.
  return now === parent && (parent === 0 || exists(parent));
}

/** npm names its process after its command line, such as `npm exec kube-api-conformance serve`. */
const isNpm = (pid: number): boolean => /^npm /.test(commandLineOf(pid) ?? '');

function linkOf(pid: number): Link | undefined {
  const parent = parentOf(pid);
  return parent === undefined ? undefined : { pid, parent };
}
