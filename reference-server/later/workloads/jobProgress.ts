// How far a Job is: what its pods count for, and why it ends.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { type KubeObject, part } from '../../schema/object.js';
import {
  completeIndexes,
  countOfCommon,
  countOfIndexes,
  type Intervals,
  indexesIn,
  indexOf,
  unionOf,
  withIndexes,
} from './completionIndexes.js';
import { verdictOn } from './podFailurePolicy.js';
import { isOver, phaseOf } from './pods.js';

export type JobSpec = ObjectOf<'batch.v1.JobSpec'>;
export type JobStatus = ObjectOf<'batch.v1.JobStatus'>;

/** Why a Job ends, and how. */
export interface Ending {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

export interface Progress {
  readonly active: readonly KubeObject[];
  /** Pods that are on their way out and have not ended. */
  readonly terminating: readonly KubeObject[];
  readonly succeeded: number;
  readonly failed: number;
  /** Of an indexed Job. */
  readonly complete: Intervals | undefined;
  /** Of a Job that counts the failures of each index. */
  readonly failedIndexes: Intervals | undefined;
  readonly failuresOf: ReadonlyMap<number, number>;
  /** What its pod failure policy says about the whole Job. */
  readonly failure: Ending | undefined;
}

/** How often a Job's pods may fail if its spec does not say. */
const usualBackoffLimit = 6;

/** Counts the pods of a Job. What it has counted stays, also without the pods. */
export function progressOf(job: KubeObject, pods: readonly KubeObject[]): Progress {
  const spec = part<JobSpec>(job, 'spec');
  const before = part<JobStatus>(job, 'status');
  const { completions, completionMode, podFailurePolicy, backoffLimitPerIndex } = spec;
  const isIndexed = completionMode === 'Indexed' && completions !== undefined;
  const verdicts = pods
    .filter((pod) => phaseOf(pod) === 'Failed')
    .map((pod) => ({ pod, ...verdictOn(pod, podFailurePolicy ?? { rules: [] }) }));
  const counted = verdicts.filter(({ action }) => action !== 'Ignore');
  const fatal = verdicts.find(({ action }) => action === 'FailJob');
  const complete = isIndexed ? completeIndexes(before.completedIndexes ?? '', pods, completions) : undefined;
  const failuresOf = new Map<number, number>();
  let failedIndexes: Intervals | undefined;
  if (isIndexed && backoffLimitPerIndex !== undefined) {
    const over = new Set<number>();
    for (const { pod, action } of counted) {
      const index = indexOf(pod, completions);
      if (index === undefined) continue;
      const failures = (failuresOf.get(index) ?? 0) + 1;
      failuresOf.set(index, failures);
      if (action === 'FailIndex' || failures > backoffLimitPerIndex) over.add(index);
    }
    failedIndexes = withIndexes(indexesIn(before.failedIndexes ?? '', completions), [...over]);
  }
  const succeeded = pods.filter((pod) => phaseOf(pod) === 'Succeeded').length;
  return {
    active: pods.filter((pod) => !isOver(pod)),
    terminating: pods.filter(
      (pod) => pod.metadata.deletionTimestamp !== undefined && !['Succeeded', 'Failed'].includes(phaseOf(pod)),
    ),
    succeeded: complete ? countOfIndexes(complete) : Math.max(before.succeeded ?? 0, succeeded),
    failed: Math.max(before.failed ?? 0, counted.length),
    ...{ complete, failedIndexes, failuresOf },
    failure: fatal && { type: 'Failed', reason: 'PodFailurePolicy', message: fatal.message },
  };
}

/** Returns the indexes that need no pod any more. */
export function indexesOver({ complete, failedIndexes }: Progress): Intervals | undefined {
  return complete && failedIndexes ? unionOf(complete, failedIndexes) : complete;
}

/** Returns how a Job ends that its pods or its deadline have brought to an end. */
export function endingOf(spec: JobSpec, progress: Progress, isLate: boolean): Ending | undefined {
  if (progress.failure !== undefined) return progress.failure;
  if (isExhausted(spec, progress)) {
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  }
  if (isLate) {
    return { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  }
  return failureOfIndexes(spec, progress) ?? successOf(spec, progress);
}

/** Reports whether the pods have failed too often: those that restart their containers count the restarts. */
function isExhausted(spec: JobSpec, { failed, active }: Progress): boolean {
  const { backoffLimitPerIndex, template } = spec;
  const { backoffLimit = backoffLimitPerIndex === undefined ? usualBackoffLimit : 2 ** 31 - 1 } = spec;
  if (failed > backoffLimit) return true;
  if (template?.spec?.restartPolicy !== 'OnFailure') return false;
  let restarts = 0;
  for (const pod of active) {
    const { containerStatuses = [], initContainerStatuses = [] } = part<ObjectOf<'PodStatus'>>(pod, 'status');
    for (const { restartCount = 0 } of [...containerStatuses, ...initContainerStatuses]) restarts += restartCount;
  }
  return restarts > 0 && restarts >= backoffLimit;
}

function failureOfIndexes(spec: JobSpec, { failedIndexes, succeeded }: Progress): Ending | undefined {
  const failed = failedIndexes ? countOfIndexes(failedIndexes) : 0;
  if (spec.maxFailedIndexes !== undefined && failed > spec.maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return { type: 'Failed', reason: 'MaxFailedIndexesExceeded', message };
  }
  if (failed === 0 || failed + succeeded < (spec.completions ?? 0)) return undefined;
  return { type: 'Failed', reason: 'FailedIndexes', message: 'Job has failed indexes' };
}

/** The success that rules of a Job ask for, before all of its indexes are complete. */
function successOf({ successPolicy, completions = 0 }: JobSpec, { complete }: Progress): Ending | undefined {
  if (complete === undefined) return undefined;
  const fitting = (successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return countOfIndexes(complete) >= (succeededCount ?? completions);
    const asked = indexesIn(succeededIndexes, completions);
    return countOfCommon(asked, complete) >= (succeededCount ?? countOfIndexes(asked));
  });
  if (fitting === -1) return undefined;
  return { type: 'Complete', reason: 'SuccessPolicy', message: `Matched rules at index ${fitting}` };
}
