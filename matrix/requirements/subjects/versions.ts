// The subject sets of the versions: objects that two groups show, written in one and seen in the other.
import { type Operation, operations } from '../../api/index.js';
import { type OperationSubject, perOperation, resourceOf, type Subject, withVerbs } from './build.js';

const extensions = '/apis/extensions/v1beta1/namespaces/{namespace}';

/** An operation by its id, stated or not. */
function operationOf(id: string): Operation {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

/** One of the two versions and the operation of extensions without which there is nothing to see. */
const inVersion = (id: string, what: string, version: string): OperationSubject => {
  const operation = operationOf(id);
  return { id: `${operation.id}, ${what} ${version}`, resource: resourceOf(operation), operation, variant: version };
};

const autoscalers = [
  inVersion(`GET ${extensions}/horizontalpodautoscalers/{name}`, 'created in', 'autoscaling/v1'),
  inVersion(`POST ${extensions}/horizontalpodautoscalers`, 'created in', 'extensions/v1beta1'),
];
// Of the jobs in extensions, only lists and watches are stated; the create is not, and servers may lack it.
const jobs = [
  inVersion(`GET ${extensions}/jobs`, 'created in', 'batch/v1'),
  inVersion(`POST ${extensions}/jobs`, 'created in', 'extensions/v1beta1'),
];

const watchExtensions = '/apis/extensions/v1beta1/watch/namespaces/{namespace}';

export const versionSets = {
  versionedReads: perOperation(withVerbs('read')),
  sharedAutoscalers: autoscalers,
  sharedJobs: jobs,
  sharedObjects: [...autoscalers, ...jobs],
  sharedWatches: [
    inVersion(`GET ${watchExtensions}/horizontalpodautoscalers`, 'created in', 'autoscaling/v1'),
    inVersion(`POST ${extensions}/horizontalpodautoscalers`, 'created in', 'extensions/v1beta1'),
    inVersion(`GET ${watchExtensions}/jobs`, 'created in', 'batch/v1'),
    inVersion(`POST ${extensions}/jobs`, 'created in', 'extensions/v1beta1'),
  ],
  otherBodies: perOperation([
    operationOf('POST /apis/autoscaling/v1/namespaces/{namespace}/horizontalpodautoscalers'),
    operationOf(`POST ${extensions}/horizontalpodautoscalers`),
    operationOf('POST /apis/batch/v1/namespaces/{namespace}/jobs'),
  ]),
} as const satisfies Record<string, readonly Subject[]>;
