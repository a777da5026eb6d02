// Options of V8 for processes that live for seconds or minutes.
import { setFlagsFromString } from 'node:v8';

/** With less inlining the compiler takes a fifth less time, and code that does not run for long is as fast. */
export const lessInlining = '--max-inlined-bytecode-size-cumulative=200';

/** The part by which a heap grows before it is collected: small, since a run has several processes. It costs no time. */
export const heapGrowth = '--heap-growing-percent=25';

/** The last version of V8 that has the option. Later ones count the calls of a function, and complain about the option. */
const lastWithBudget = 11;

/** Has what is called often compiled earlier from now on: a create costs less, and a start would cost more. */
export function compileEarlier(): void {
  if (Number.parseInt(process.versions.v8, 10) <= lastWithBudget) setFlagsFromString('--interrupt-budget=16000');
}
