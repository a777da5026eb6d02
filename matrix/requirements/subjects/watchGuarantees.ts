// The subject sets of the guarantees of a watch: every form in which the document states one.
import { type Operation, statedOperations } from '../../api/index.js';
import { type OperationSubject, resourceOf, type Subject, serverVariants, withVerbs } from './build.js';

/** Lists that can be watched: all but those of what is computed when it is asked for. */
const watchableLists = withVerbs('list', 'listAll').filter(({ resource }) => resource?.plural !== 'componentstatuses');

/** Every way to a watch: the paths under the watch prefix, and the lists with `watch=true`. */
export const watchForms: readonly OperationSubject[] = [
  ...withVerbs('watchAll', 'watchList', 'watchOne').map((operation) => formOf(operation, operation.id)),
  ...watchableLists.map((operation) => formOf(operation, `${operation.id}?watch=true`)),
];

function formOf(operation: Operation, id: string): OperationSubject {
  return { id, resource: resourceOf(operation), operation };
}

/** The first form of each group. */
const firstForms = [...new Set(statedOperations.map(({ groupVersion }) => groupVersion))].flatMap(
  (groupVersion) => watchForms.find(({ operation }) => operation.groupVersion === groupVersion) ?? [],
);

export const watchGuaranteeSets = {
  storms: watchForms,
  boundedWatches: watchForms,
  unboundedWatches: firstForms,
  slowReaders: serverVariants(['a watcher that does not read']),
} as const satisfies Record<string, readonly Subject[]>;
