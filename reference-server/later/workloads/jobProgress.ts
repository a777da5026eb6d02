// How far a Job is: what its pods count for, and why it ends.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { type KubeObject, part } from '../../schema/object.js';
import {
  completeIndexes,
  countOfCommon,
  countOfIndexes,
  failuresBefore,
  type Intervals,
  indexesIn,
  indexOf,
  unionOf,
  withIndexes,
} from './completionIndexes.js';
import { isTracked } from './jobTracking.js';
import { verdictOn } from './podFailurePolicy.js';
import { hasEnded, isOver, phaseOf } from './pods.js';

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
  /** Returns what a tracked pod counts for in a Job that ends so; undefined as long as the Job needs the pod. */
  countsAs(pod: KubeObject, ending: Ending | undefined): 'success' | 'failure' | 'nothing' | undefined;
}

/** How often a Job's pods may fail if its spec does not say. */
const usualBackoffLimit = 6;

/**
 * Counts the pods of a Job: those that are there, and on a server that tracks them, those that its status has counted or
 * is about to count.
 */
export function progressOf(job: KubeObject, pods: readonly KubeObject[], tracks: boolean): Progress {
  const spec = part<JobSpec>(job, 'spec');
  const before = part<JobStatus>(job, 'status');
  const { completions, completionMode, podFailurePolicy, podReplacementPolicy, backoffLimitPerIndex } = spec;
  const isIndexed = completionMode === 'Indexed' && completions !== undefined;
  const indexIn = (pod: KubeObject) => (completions === undefined ? undefined : indexOf(pod, completions));
  // A pod that somebody deletes has failed, unless its end decides.
  const failsNow = (pod: KubeObject): boolean =>
    phaseOf(pod) === 'Failed' || (tracks && podReplacementPolicy !== 'Failed' && isTerminating(pod));
  const verdicts = pods
    .filter(failsNow)
    .map((pod) => ({ pod, index: indexIn(pod), ...verdictOn(pod, podFailurePolicy ?? { rules: [] }) }));
  const counted = verdicts.filter(({ action, index }) => action !== 'Ignore' && (!isIndexed || index !== undefined));
  const fatal = verdicts.find(({ action }) => action === 'FailJob');
  const complete = isIndexed ? completeIndexes(before.completedIndexes ?? '', pods, completions) : undefined;
  const active = pods.filter((pod) => !isOver(pod));
  const failuresOf = new Map<number, number>();
  /** The last failed pod of each index that needs another one: it says how often the index has failed. */
  const held = new Map<number, KubeObject>();
  let failedIndexes: Intervals | undefined;
  if (isIndexed && backoffLimitPerIndex !== undefined) {
    const over = new Set<number>();
    for (const { pod, action, index } of counted) {
      if (index === undefined) continue;
      const failures = failuresBefore(pod) + 1;
      if (failures > (failuresOf.get(index) ?? 0)) held.set(index, pod);
      failuresOf.set(index, Math.max(failures, failuresOf.get(index) ?? 0));
      if (action === 'FailIndex' || failures > backoffLimitPerIndex) over.add(index);
    }
    failedIndexes = withIndexes(indexesIn(before.failedIndexes ?? '', completions), [...over]);
    for (const index of [...over, ...active.map(indexIn)]) if (index !== undefined) held.delete(index);
  }
  const { succeeded: successes = [], failed: failures = [] } = before.uncountedTerminatedPods ?? {};
  const uncounted = new Set([...successes, ...failures]);
  const isNew = (pod: KubeObject): boolean => !tracks || (isTracked(pod) && !uncounted.has(pod.metadata.uid ?? ''));
  const counts = tracks
    ? { succeeded: (before.succeeded ?? 0) + successes.length, failed: (before.failed ?? 0) + failures.length }
    : { succeeded: 0, failed: 0 };
  const succeeded = pods.filter((pod) => phaseOf(pod) === 'Succeeded' && isNew(pod)).length;
  const failing = new Set(counted.map(({ pod }) => pod));
  const holding = new Set(held.values());
  const judged = new Set(verdicts.map(({ pod }) => pod));
  return {
    active,
    terminating: pods.filter(isTerminating),
    succeeded: complete ? countOfIndexes(complete) : counts.succeeded + succeeded,
    failed: counts.failed + counted.filter(({ pod }) => isNew(pod)).length,
    ...{ complete, failedIndexes, failuresOf },
    failure: fatal && { type: 'Failed', reason: 'PodFailurePolicy', message: fatal.message },
    countsAs(pod, ending) {
      // The indexes say which pods of an indexed Job have succeeded.
      if (phaseOf(pod) === 'Succeeded') return isIndexed ? 'nothing' : 'success';
      if (holding.has(pod) && ending === undefined) return undefined;
      if (ending?.type === 'Complete' && phaseOf(pod) !== 'Failed') return 'nothing';
      if (failing.has(pod)) return 'failure';
      if (judged.has(pod)) return 'nothing';
      if (ending === undefined) return undefined;
      return isIndexed && indexIn(pod) === undefined ? 'nothing' : 'failure';
    },
  };
}

const isTerminating = (pod: KubeObject): boolean => pod.metadata.deletionTimestamp !== undefined && !hasEnded(pod);

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
