// Notes the CPU time of each test file, for the table at the end of a run.
import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** CPU seconds of a file, with those of the processes that it started and that have ended. */
    cpu?: number;
  }
}

/** The CPU seconds of the ended children of this process, where there is a /proc: in hundredths, as Linux counts. */
function ofChildren(): number {
  try {
    const fields = (readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1) ?? '').split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}

function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + ofChildren();
}

// A setup file runs again for each test file, before the file is loaded.
const before = spent();
// biome-ignore lint/correctness/noEmptyPattern: the first argument names fixtures, and is read as text.
afterAll(({}, suite) => {
  suite.file.meta.cpu = spent() - before;
});
