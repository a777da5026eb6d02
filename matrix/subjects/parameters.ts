// The subject sets of the parameters chapter: the operations that state each parameter.
import { parameterSets, type Resource } from '../api/index.js';
import { namespaced, perOperation, type Subject, stated, type Table } from './build.js';

/** Returns the subject sets of this file for the operations of a table. */
export function parametersSetsOf({ withVerbs, plain }: Table) {
  const lists = withVerbs('list', 'listAll').filter(({ resource }) => resource?.kind !== 'ComponentStatus');
  const components = withVerbs('list').filter(({ resource }) => resource?.kind === 'ComponentStatus');
  const reads = withVerbs('read');
  const stating = plain.filter(({ query }) => 'pretty' in parameterSets[query]);
  const named = stating.filter(({ path, resource }) => path.includes('{name}') && resource?.kind !== 'ComponentStatus');

  /** Lists that wait for a version take seconds on some servers, so one resource of each group is enough. */
  const oneOfEachGroup = ['configmaps', 'horizontalpodautoscalers', 'jobs', 'daemonsets'];
  const ahead = withVerbs('list').filter(
    ({ resource, groupVersion }) =>
      oneOfEachGroup.includes(resource?.plural ?? '') &&
      (resource?.plural === 'daemonsets' || groupVersion.group !== 'extensions'),
  );

  // The server sets the sample's status of these kinds by itself, so a write would not show.
  const sameStatus = ['namespaces', 'resourcequotas'];
  const hasOwnStatus = (resource: Resource | undefined): boolean =>
    withVerbs('replaceStatus').some((operation) => operation.resource === resource) &&
    !sameStatus.includes(resource?.plural ?? '');
  const written = stating.filter(
    ({ method, verb, resource }) =>
      method !== 'GET' && !(verb === 'replaceStatus' && sameStatus.includes(resource?.plural ?? '')),
  );

  return {
    prettyAnswers: perOperation(stating),
    prettyReads: perOperation(stating.filter(({ method }) => method === 'GET')),
    prettyWatches: perOperation(withVerbs('watchAll', 'watchList', 'watchOne')),
    unknownParameters: perOperation(stating),
    parameterLists: perOperation(lists),
    exactLists: perOperation(lists),
    pages: perOperation(lists),
    expiredPages: perOperation(lists),
    aheadLists: perOperation(ahead),
    queriedComponents: perOperation(components),
    watchedComponents: perOperation(components),
    watchedDeleteCollections: perOperation(withVerbs('deleteCollection')),
    exports: perOperation(reads),
    statusExports: perOperation(reads.filter(({ resource }) => hasOwnStatus(resource))),
    namespacedExports: perOperation(namespaced(reads)),
    assignedExports: perOperation(reads.filter(({ resource }) => resource?.plural === 'services')),
    names: perOperation(named),
    namespacedNames: perOperation(namespaced(named)),
    dryRuns: perOperation(written),
    dryClaims: perOperation(withVerbs('create').filter(({ resource }) => resource?.plural === 'services')),
  } as const satisfies Record<string, readonly Subject[]>;
}

export const parametersSets = parametersSetsOf(stated);
