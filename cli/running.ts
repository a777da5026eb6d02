// Whether a process runs.
import { readFileSync } from 'node:fs';

/**
 * Reports whether a process runs, whoever started it. A process that has ended and waits for its parent to notice does
 * not run: the first process of a container may never notice.
 */
export function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !hasEnded(pid);
}

/** Reports what Linux says of a process that others still see. */
function hasEnded(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses, and may have some; the state follows.
    return /^ [ZX] /.test(stat.slice(stat.lastIndexOf(')') + 1));
  } catch {
    return false;
  }
}
