// The subject sets of the guarantees of a watch: every form that the document states.
import { perOperation, type Subject, serverVariants, stated, type Table } from './build.js';
import { watchFormsOf } from './watch.js';

/** Returns the subject sets of this file for the operations of a table. */
export function watchGuaranteesSetsOf(table: Table) {
  const forms = watchFormsOf(table);
  const firstForms = [...new Set(forms.map(({ groupVersion }) => groupVersion))].flatMap(
    (group) => forms.find(({ groupVersion }) => groupVersion === group) ?? [],
  );
  /** Some kinds of two groups, on a list path, in a namespace and across namespaces. */
  const ofBursts = [
    '/api/v1/namespaces/{namespace}/configmaps',
    '/api/v1/watch/namespaces/{namespace}/events',
    '/apis/extensions/v1beta1/watch/ingresses',
  ];
  return {
    bursts: perOperation(forms.filter(({ path }) => ofBursts.includes(path))),
    concurrentWriters: perOperation(forms),
    boundedWatches: perOperation(forms),
    unboundedWatches: perOperation(firstForms),
    slowReaders: serverVariants(['a watcher that does not read']),
  } as const satisfies Record<string, readonly Subject[]>;
}

export const watchGuaranteesSets = watchGuaranteesSetsOf(stated);
