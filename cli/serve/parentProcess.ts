// The end of the process that started this one: a process that is killed cannot stop its children.
import { readFileSync } from 'node:fs';

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
  if (!/^(\S*\/)?\w*sh -c /.test(commandOf(own.parent)) || !isNpm(above.parent)) return [own];
  const top = linkOf(above.parent);
  return top === undefined ? [own, above] : [own, above, top];
}

/** Reports whether the two processes are still there, as parent and child. */
function holds({ pid, parent }: Link): boolean {
  const now = pid === process.pid ? process.ppid : linkOf(pid)?.parent;
  // On Windows, a process keeps the number of a parent that has ended.
  return now === parent && exists(parent);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** npm names its process after its command line, such as `npm exec kube-api-conformance serve`. */
const isNpm = (pid: number): boolean => /^npm /.test(commandOf(pid));

const commandOf = (pid: number): string => fileOf(pid, 'cmdline')?.replaceAll('\0', ' ') ?? '';

/** Returns undefined if the process is gone, or the system has no /proc. */
function linkOf(pid: number): Link | undefined {
  const stat = fileOf(pid, 'stat');
  // The second field is the name in parentheses, which may contain anything; the parent is two fields behind it.
  const parent = stat?.slice(stat.lastIndexOf(')') + 1).split(' ')[2];
  return parent === undefined ? undefined : { pid, parent: Number(parent) };
}

function fileOf(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
