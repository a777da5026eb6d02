// CPU time and resident memory of processes, as the kernel counts them, and the median of what was measured.
import { readFileSync } from 'node:fs';

/** The kernel counts in ticks of a hundredth of a second, whatever the machine. */
const tickMicroseconds = 10_000;

/** User and system time of the processes with all their threads, in microseconds. Throws if one has ended. */
export function cpuMicroseconds(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name comes in parentheses and may hold spaces; user and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMicroseconds;
  });
}

/** Resident memory of the processes together, in bytes. Throws if one has ended. */
export function residentBytes(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) * 1024;
  });
}

const sum = (pids: readonly number[], of: (pid: number) => number): number =>
  pids.reduce((total, pid) => total + of(pid), 0);

/** Returns the middle one of some figures, or the lower of the two in the middle. Throws if there are none. */
export function median(figures: readonly number[]): number {
  const middle = [...figures].sort((one, other) => one - other)[(figures.length - 1) >> 1];
  if (middle === undefined) throw new Error('no figures');
  return middle;
}
