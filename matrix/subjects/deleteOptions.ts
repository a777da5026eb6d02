// The subject sets of the chapter deleteOptions: the deletes with options, and the kinds for each rule.
import { type OperationSubject, perOperation, perVariant, type Subject, stated, type Table } from './build.js';

/** Returns the subject sets of this file for the operations of a table. */
export function deleteOptionsSetsOf({ withVerbs }: Table) {
  const deletes = withVerbs('delete', 'deletePlain');
  const withOptions = withVerbs('delete');
  const collections = withVerbs('deleteCollection');
  const pods = withOptions.filter(({ resource }) => resource?.plural === 'pods');
  const namespaces = withOptions.filter(({ resource }) => resource?.plural === 'namespaces');

  /** All deletes except those of namespaces, which take a while and have rules of their own. */
  const butNamespaces = deletes.filter((operation) => !namespaces.includes(operation));
  const atOnce = butNamespaces.filter((operation) => !pods.includes(operation));
  /** An Event cannot be an owner. */
  const owners = butNamespaces.filter(({ resource }) => resource?.plural !== 'events');

  const configMaps: OperationSubject[] = perOperation(
    withOptions.filter(({ resource }) => resource?.plural === 'configmaps'),
  );

  return {
    acceptedDeleteOptions: perVariant(withOptions, ['v1', "the group's own version", 'YAML']),
    emptyDeleteOptions: perOperation(withOptions),
    refusedDeleteOptions: perOperation(withOptions),
    metPreconditions: perOperation(withOptions),
    dryDeletes: perVariant(deletes, ['in the options', 'in the query', 'in the query beside options']),
    doneDeletes: perOperation(atOnce),
    heldDeletes: perOperation(deletes),
    heldCollections: perOperation(collections),
    gracefulDeletes: perOperation(pods),
    otherGraces: perOperation(atOnce.filter(({ body }) => body === 'options')),
    collectionOptions: perOperation(collections),
    owners: perOperation(owners.filter(({ body }) => body === 'options')),
    defaultPolicies: perOperation(owners),
    dependents: perOperation(deletes),
    collector: configMaps,
    patchedFinalizers: perVariant(
      configMaps.map(({ operation }) => operation),
      [
        'a null in a merge patch',
        'an empty list in a merge patch',
        'a removal in a JSON patch',
        'an empty list in a JSON patch',
        'a null in a strategic merge patch',
      ],
    ),
    recreated: perOperation(butNamespaces),
    namespaceEnds: perOperation(namespaces),
  } as const satisfies Record<string, readonly Subject[]>;
}

export const deleteOptionsSets = deleteOptionsSetsOf(stated);
