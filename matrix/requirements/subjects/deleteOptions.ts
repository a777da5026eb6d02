// The subject sets of the deletion chapter: which deletes take options, and what of them each kind is asked.
import { type OperationSubject, perOperation, perVariant, type Subject, withVerbs } from './build.js';

const deletes = withVerbs('delete', 'deletePlain');
const withOptions = withVerbs('delete');
const collections = withVerbs('deleteCollection');
const pods = withOptions.filter(({ resource }) => resource?.plural === 'pods');
const namespaces = withOptions.filter(({ resource }) => resource?.plural === 'namespaces');

/** The end of a namespace takes its time and is a matter of its own. */
const butNamespaces = deletes.filter((operation) => !namespaces.includes(operation));
const atOnce = butNamespaces.filter((operation) => !pods.includes(operation));
/** An Event cannot own anything. */
const owners = butNamespaces.filter(({ resource }) => resource?.plural !== 'events');

const configMaps: OperationSubject[] = perOperation(
  withOptions.filter(({ resource }) => resource?.plural === 'configmaps'),
);

export const deleteOptionsSets = {
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
  recreated: perOperation(butNamespaces),
  namespaceEnds: perOperation(namespaces),
} as const satisfies Record<string, readonly Subject[]>;
