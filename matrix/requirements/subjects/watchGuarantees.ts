// The subject sets of the guarantees of a watch: every form that the document states.
import { perOperation, type Subject, serverVariants } from './build.js';
import { forms } from './watch.js';

/** The first form of each group. */
const firstForms = [...new Set(forms.map(({ groupVersion }) => groupVersion))].flatMap(
  (group) => forms.find(({ groupVersion }) => groupVersion === group) ?? [],
);

export const watchGuaranteesSets = {
  concurrentWriters: perOperation(forms),
  boundedWatches: perOperation(forms),
  unboundedWatches: perOperation(firstForms),
  slowReaders: serverVariants(['a watcher that does not read']),
} as const satisfies Record<string, readonly Subject[]>;
