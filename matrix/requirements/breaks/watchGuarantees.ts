// The consequences for clients if a requirement of the chapter watchGuarantees is violated.
import type { Breaks } from './types.js';

export const watchGuarantees = [
  [
    ['from-version', 'list-then-watch'],
    'A controller misses a change between its list and its watch, and never repairs it.',
  ],
  [['from-beginning'], 'A client that starts without a version has an incomplete picture of the cluster.'],
  [['ordered'], 'A cache ends with an old state, because an older event came last.'],
  [['unique'], 'A client that counts changes counts one twice.'],
  [['reliable'], 'A controller misses changes under load, exactly when it is needed.'],
  [['atomic'], 'A client sees a state that never existed and acts on it.'],
  [['resumable'], 'After each network failure a client loses events or handles some twice.'],
  [['filtered'], 'A cache of selected objects keeps some that no longer match.'],
  [['bounded'], 'A client takes the regular end of a watch for a failure, or never gets its connection back.'],
  [['unbounded'], 'A client reconnects all the time, and its server works on nothing but new watches.'],
  [['slow-reader'], 'One stuck client stops the updates for all others.'],
] as const satisfies Breaks;
