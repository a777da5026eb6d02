// The subject sets of the versions: objects that two groups serve, written in one version and read in the other.
import { type Operation, operations } from '../api/index.js';
import { type OperationSubject, perOperation, type Subject, stated, subjectResource, type Table } from './build.js';

const extensions = '/apis/extensions/v1beta1/namespaces/{namespace}';

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

const autoscalers = [
  inVersion(operationOf(`GET ${extensions}/horizontalpodautoscalers/{name}`), 'created in', 'autoscaling/v1'),
  inVersion(operationOf(`POST ${extensions}/horizontalpodautoscalers`), 'created in', 'extensions/v1beta1'),
];
// For jobs of extensions, the document states only lists and watches; servers may lack the create.
const jobs = [
  inVersion(operationOf(`GET ${extensions}/jobs`), 'created in', 'batch/v1'),
  inVersion(operationOf(`POST ${extensions}/jobs`), 'created in', 'extensions/v1beta1'),
];

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
    inVersion(operationOf(`GET ${watchExtensions}/horizontalpodautoscalers`), 'created in', 'autoscaling/v1'),
    inVersion(operationOf(`POST ${extensions}/horizontalpodautoscalers`), 'created in', 'extensions/v1beta1'),
    inVersion(operationOf(`GET ${watchExtensions}/jobs`), 'created in', 'batch/v1'),
    inVersion(operationOf(`POST ${extensions}/jobs`), 'created in', 'extensions/v1beta1'),
  ],
  otherBodies: perOperation([
    operationOf('POST /apis/autoscaling/v1/namespaces/{namespace}/horizontalpodautoscalers'),
    operationOf(`POST ${extensions}/horizontalpodautoscalers`),
    operationOf('POST /apis/batch/v1/namespaces/{namespace}/jobs'),
  ]),
} as const satisfies Record<string, readonly Subject[]>;
