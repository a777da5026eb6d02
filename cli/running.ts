// What the system tells of a process: whether it is running, its parent, its beginning and its command.
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Reports whether a process is running, even if another user owns it. A zombie is not running: the first process of a
 * container may never reap it.
 */
export const isRunning = (pid: number): boolean => exists(pid) && !/^[ZX]$/.test(statOf(pid)?.state ?? '');

/** Reports whether there is a process of this number, even if it is a zombie or another user owns it. */
export function exists(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the parent of a process; undefined if the process is gone. Only Linux tells. */
export const parentOf = (pid: number): number | undefined => statOf(pid)?.parent;

/**
 * Returns when a process began, in ticks since the start of the system; undefined if the process is gone. With the number
 * of the process, it names one that another gets after it. Only Linux tells.
 */
export const beginningOf = (pid: number): number | undefined => statOf(pid)?.began;

/** Returns the command line of a process; undefined if the process is gone. Only Linux tells. */
export const commandLineOf = (pid: number): string | undefined => fileOf(pid, 'cmdline')?.replaceAll('\0', ' ');

/** Returns the processes below one: its children, and theirs. Only Linux tells; elsewhere there are none. */
export function processesBelow(ancestor: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of numbersOfProcesses()) {
    const parent = parentOf(pid);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const below = (pid: number): number[] => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(ancestor);
}

function numbersOfProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function statOf(pid: number): { readonly state: string; readonly parent: number; readonly began: number } | undefined {
  const stat = fileOf(pid, 'stat');
  if (stat === undefined) return undefined;
  // The second field is the name in parentheses, which may contain anything; the state and the parent follow.
  const fields = stat.slice(stat.lastIndexOf(')') + 1).split(' ');
  const [, state = '', parent = ''] = fields;
  return { state, parent: Number(parent), began: Number(fields[20]) };
}

function fileOf(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
