// Options of V8 for processes that live for seconds or minutes.
import { setFlagsFromString } from 'node:v8';

/** With less inlining the compiler takes a fifth less time, and code that does not run for long is as fast. */
export const lessInlining = '--max-inlined-bytecode-size-cumulative=200';

/** The part by which a heap grows before it is collected: small, since a run has several processes. It costs no time. */
export const heapGrowth = '--heap-growing-percent=25';

/**
 * The options of the processes that run cases. Larger semi-spaces cost 20 MB in each of them and are no faster. The
 * processes keep the processors busy: threads that help each of them to collect its garbage cost more than they win.
 */
export const workerOptions = ['--max-semi-space-size=4', heapGrowth, lessInlining, '--single-threaded-gc'] as const;

/**
 * The options of the server of a run: as the server has by itself, with less memory. It is busier than a worker, and helping
 * threads save it time.
 */
export const serverOptions = ['--max-semi-space-size=4', '--no-parallel-scavenge'] as const;

/** The last version of V8 that has the option. Later ones count the calls of a function, and complain about the option. */
const lastWithBudget = 11;

/** Microseconds of CPU that a process has used when it is worth a compiler that costs more. */
const busy = 3_000_000;

/**
 * Has what is called often compiled earlier as soon as the process has worked for some seconds: a create costs less then,
 * and a server that lives for one test would cost a quarter more.
 */
export function compileEarlierWhenBusy(): void {
  if (Number.parseInt(process.versions.v8, 10) > lastWithBudget) return;
  const looking = setInterval(() => {
    const { user, system } = process.cpuUsage();
    if (user + system < busy) return;
    clearInterval(looking);
    setFlagsFromString('--interrupt-budget=16000');
  }, 1_000).unref();
}
