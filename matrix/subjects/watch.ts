// The subject sets of the watch chapter: every path by which a kind can be watched.
import type { Operation } from '../api/index.js';
import { perOperation, type Subject, serverVariants, stated, type Table } from './build.js';

/** The operations that list and can also watch. */
const listsOf = ({ withVerbs }: Table): Operation[] =>
  withVerbs('list', 'listAll').filter(
    ({ resource }) => resource?.kind !== 'ComponentStatus' && resource?.found?.watchable !== false,
  );

/** Returns all paths of watches: those under the watch prefix, and the lists with `watch=true`. */
const watchFormsOf = (table: Table): Operation[] => [
  ...table.withVerbs('watchAll', 'watchList', 'watchOne'),
  ...listsOf(table),
];

/** The paths of watches that the document states. */
export const forms = watchFormsOf(stated);

const isCore = ({ groupVersion }: Operation): boolean => groupVersion.group === '';

const inAutoscaling = '/apis/autoscaling/v1';
const inBatch = '/apis/batch/v1';
const inExtensions = '/apis/extensions/v1beta1';

/** Returns the subject sets of this file for the operations of a table. */
export function watchSetsOf(table: Table) {
  const forms = watchFormsOf(table);
  const listed = listsOf(table);
  const ofMany = forms.filter(({ verb }) => verb !== 'watchOne');
  /**
   * Returns the forms with these paths, for behaviour that is slow, or that a server implements once for all kinds:
   * some kinds of each group are enough.
   */
  const paths = (...wanted: readonly string[]): Operation[] => forms.filter(({ path }) => wanted.includes(path));
  const someLists = paths(
    '/api/v1/namespaces/{namespace}/secrets',
    '/api/v1/nodes',
    `${inAutoscaling}/horizontalpodautoscalers`,
    `${inBatch}/namespaces/{namespace}/jobs`,
    `${inExtensions}/ingresses`,
  );
  return {
    watchForms: perOperation(forms),
    listForms: perOperation(listed),
    prefixForms: perOperation(table.withVerbs('watchAll', 'watchList', 'watchOne')),
    writtenWatches: perOperation(forms),
    selectedWatches: perOperation(ofMany),
    coreWatches: perOperation(forms.filter(isCore)),
    groupWatches: perOperation(forms.filter((operation) => !isCore(operation))),
    watchAnswers: perOperation(forms),
    watchHistories: perOperation(forms),
    boundedWatches: perOperation(forms),
    unboundedWatches: perOperation(
      [...new Set(forms.map(({ groupVersion }) => groupVersion))].flatMap(
        (group) => forms.find(({ groupVersion }) => groupVersion === group) ?? [],
      ),
    ),
    slowReaders: serverVariants(['a watcher that does not read']),
    initialEvents: perOperation(someLists),
    spelledWatches: perOperation(someLists),
    listedWatches: perOperation(someLists),
    bookmarkedWatches: perOperation(
      paths(
        '/api/v1/namespaces/{namespace}/endpoints',
        `${inAutoscaling}/horizontalpodautoscalers`,
        `${inBatch}/watch/namespaces/{namespace}/jobs`,
        `${inExtensions}/watch/ingresses`,
      ),
    ),
    endedSockets: perOperation(paths('/api/v1/namespaces/{namespace}/secrets', `${inExtensions}/watch/ingresses`)),
    webSocketWatches: perOperation(
      paths(
        '/api/v1/watch/namespaces/{namespace}/secrets',
        '/api/v1/namespaces/{namespace}/endpoints',
        `${inAutoscaling}/horizontalpodautoscalers`,
        `${inBatch}/watch/namespaces/{namespace}/jobs/{name}`,
        `${inExtensions}/watch/ingresses`,
      ),
    ),
  } as const satisfies Record<string, readonly Subject[]>;
}

export const watchSets = watchSetsOf(stated);
