// Signals that abort when one of several does.

const sources = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * As `AbortSignal.any`, which in Node 20 does not keep what it is made of: a timeout that nothing else holds is collected
 * before its time, and the signal never aborts.
 */
export function firstOf(...signals: readonly AbortSignal[]): AbortSignal {
  const first = AbortSignal.any([...signals]);
  sources.set(first, signals);
  return first;
}
