// The subject sets of the selectors chapter: every list and delete-collection, and the fields of each kind.
import { type Operation, resourceId } from '../api/index.js';
import {
  namespaced,
  type OperationSubject,
  perOperation,
  perVariant,
  type Subject,
  stated,
  type Table,
} from './build.js';

/** Returns the subject sets of this file for the operations of a table. */
export function selectorsSetsOf({ withVerbs }: Table) {
  const lists = withVerbs('list', 'listAll');
  const deleteCollections = withVerbs('deleteCollection');
  const components = (operation: Operation): boolean => operation.resource?.kind === 'ComponentStatus';

  /** Label selectors that can select only objects of the run, even if a server understands only a part of them. */
  const positive = ['key=value', 'key==value', 'key in', 'key'];
  const negative = ['key!=value', 'key notin', '!key', 'and'];

  /** Fields by which servers select a kind, old servers and later ones, in addition to name and namespace. */
  const fieldsOf: Readonly<Record<string, readonly string[]>> = {
    'core/pods': ['spec.nodeName', 'an empty spec.nodeName', 'spec.restartPolicy', 'status.phase'],
    'core/events': [
      'involvedObject.kind',
      'involvedObject.namespace',
      'involvedObject.name',
      'involvedObject.uid',
      'involvedObject.apiVersion',
      'involvedObject.resourceVersion',
      'involvedObject.fieldPath',
      'reason',
      'source',
      'type',
    ],
    'core/nodes': ['spec.unschedulable', 'an absent spec.unschedulable'],
    'core/secrets': ['type'],
    'core/namespaces': ['status.phase'],
    'batch/jobs': ['status.successful'],
    'extensions/replicasets': ['status.replicas'],
  };

  const fieldsOfKinds: OperationSubject[] = lists.flatMap((operation) =>
    perVariant([operation], operation.resource === undefined ? [] : (fieldsOf[resourceId(operation.resource)] ?? [])),
  );

  return {
    selections: perOperation(lists.filter((operation) => !components(operation))),
    malformedSelections: perOperation(lists),
    malformedWatches: perOperation([
      ...withVerbs('watchAll', 'watchList', 'watchOne'),
      ...lists.filter((operation) => !components(operation)),
    ]),
    selectedWatchesOfOne: perOperation(withVerbs('watchOne')),
    selectedComponents: perOperation(lists.filter(components)),
    fieldsOfKinds,
    labelDeleteCollections: deleteCollections.flatMap((operation) =>
      perVariant([operation], operation.resource?.namespaced ? [...positive, ...negative] : positive),
    ),
    fieldDeleteCollections: perOperation(deleteCollections),
    // Never across the cluster: a server that ignores an invalid selector would delete everything.
    malformedDeleteCollections: perOperation(namespaced(deleteCollections)),
    unselectedDeleteCollections: perOperation(namespaced(deleteCollections)),
  } as const satisfies Record<string, readonly Subject[]>;
}

export const selectorsSets = selectorsSetsOf(stated);
