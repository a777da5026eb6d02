// The subject sets of the versions: objects that two groups serve, written in one version and read in the other.
import { type Operation, operations } from '../api/index.js';
import { type OperationSubject, perOperation, type Subject, stated, subjectResource, type Table } from './build.js';

const extensions = '/apis/extensions/v1beta1/namespaces/{namespace}';
const autoscaling = '/apis/autoscaling/v1/namespaces/{namespace}/horizontalpodautoscalers';
const batch = '/apis/batch/v1/namespaces/{namespace}/jobs';

function operationOf(id: string): Operation {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

/** Returns a subject for one of two versions. It needs the operation of extensions, or nothing can be read. */
const inVersion = (operation: Operation, what: string, version: string): OperationSubject => ({
  id: `${operation.id}, ${what} ${version}`,
  resource: subjectResource(operation),
  operation,
  variant: version,
});

/** Returns the subjects for both versions of a kind, from their operations of extensions. */
const inBoth = (path: string, version: string, own: Operation, made: Operation): readonly OperationSubject[] => [
  { ...inVersion(own, 'created in', version), beside: operationOf(`POST ${path}`) },
  { ...inVersion(made, 'created in', 'extensions/v1beta1'), beside: operationOf(`GET ${path}/{name}`) },
];

const makeAutoscaler = operationOf(`POST ${extensions}/horizontalpodautoscalers`);
// For jobs of extensions, the document states only lists and watches; servers may lack the create.
const makeJob = operationOf(`POST ${extensions}/jobs`);
const autoscalersFrom = (own: Operation) => inBoth(autoscaling, 'autoscaling/v1', own, makeAutoscaler);
const jobsFrom = (own: Operation) => inBoth(batch, 'batch/v1', own, makeJob);
const autoscalers = autoscalersFrom(operationOf(`GET ${extensions}/horizontalpodautoscalers/{name}`));
const jobs = jobsFrom(operationOf(`GET ${extensions}/jobs`));

const watchExtensions = '/apis/extensions/v1beta1/watch/namespaces/{namespace}';

/** Returns the subject sets of every kind for the operations of a table. */
export function versionsSetsOf({ withVerbs }: Table) {
  const twoVersions = withVerbs('create').flatMap((operation): OperationSubject[] => {
    const sibling = withVerbs('create').find((other) => isOtherVersion(operation, other))?.resource;
    const { group, version } = operation.groupVersion;
    return sibling === undefined ? [] : [{ ...inVersion(operation, 'created in', `${group}/${version}`), sibling }];
  });
  return {
    versionedReads: perOperation(withVerbs('read')),
    sharedObjects: twoVersions,
    sharedWatches: twoVersions.filter(({ sibling }) => sibling?.found?.watchable),
  };
}

/** Reports whether two operations are of one kind that only the target knows, in two versions of its group. */
const isOtherVersion = (one: Operation, other: Operation): boolean =>
  one !== other &&
  one.resource?.found !== undefined &&
  one.groupVersion.group === other.groupVersion.group &&
  one.resource.plural === other.resource?.plural;

export const versionsSets = {
  ...versionsSetsOf(stated),
  sharedAutoscalers: autoscalers,
  sharedJobs: jobs,
  sharedObjects: [...autoscalers, ...jobs],
  sharedWatches: [
    ...autoscalersFrom(operationOf(`GET ${watchExtensions}/horizontalpodautoscalers`)),
    ...jobsFrom(operationOf(`GET ${watchExtensions}/jobs`)),
  ],
  otherBodies: perOperation([operationOf(`POST ${autoscaling}`), makeAutoscaler, operationOf(`POST ${batch}`)]),
} as const satisfies Record<string, readonly Subject[]>;
