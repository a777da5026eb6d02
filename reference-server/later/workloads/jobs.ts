// Jobs: pods that run until enough of them have succeeded, or too many have failed.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { claimed, claimedBy, referenceTo } from '../../controllers/claims.js';
import type { Controller, Handled } from '../../controllers/controller.js';
import type { Remark } from '../../controllers/events.js';
import { timestamp } from '../../registry/metadata.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import { unless } from '../../statusError.js';
import { byIndex, countOfIndexes, freeIndexes, indexesText, withIndex } from './completionIndexes.js';
import {
  type Ending,
  endingOf,
  indexesOver,
  type JobSpec,
  type JobStatus,
  type Progress,
  progressOf,
} from './jobProgress.js';
import { orphanedJobPods, release, sinceTracking, track, trackedPod } from './jobTracking.js';
import type { PodControl } from './podControl.js';
import { burst, isReady, podFrom } from './pods.js';
import { writeStatus } from './status.js';

interface Parts {
  readonly pods: Pick<Store, 'list' | 'updateInternally'>;
  readonly control: PodControl;
  readonly jobs: Pick<Store, 'find' | 'list' | 'updateInternally' | 'delete'>;
  readonly now: () => Date;
  /** The minor version of Kubernetes that the server reports. */
  readonly minor: number;
}

type JobCondition = ObjectOf<'batch.v1.JobCondition'>;

/** The Jobs that name no other controller. */
const own = 'kubernetes.io/job-controller';
/** Since this version, a Job says that it ends before its last pod is gone. */
const sinceTargets = 31;

export const jobControllers = (parts: Parts): readonly Controller[] => [
  jobController(parts),
  ...(parts.minor < sinceTracking ? [] : [orphanedJobPods({ ...parts, isOver: (job) => isOver(part(job, 'status')) })]),
];

const jobController = (parts: Parts): Controller => ({
  name: 'job-controller',
  feature: 'job-controller',
  resource: 'batch/jobs',
  sources: [claimedBy('Job', 'core/pods', parts.jobs, (owner) => part<JobSpec>(owner, 'spec').selector)],
  async reconcile(job) {
    const { managedBy = own, selector } = part<JobSpec>(job, 'spec');
    if (managedBy !== own) return undefined;
    const { deletionTimestamp } = job.metadata;
    const status = part<JobStatus>(job, 'status');
    if (isOver(status)) return deletionTimestamp === undefined ? removeLater(job, status, parts) : undefined;
    const pods = await claimed({
      owner: job,
      reference: referenceTo(job, 'batch/v1', 'Job'),
      store: parts.pods,
      owners: parts.jobs,
      selector,
    });
    // The pods of a Job on its way out go with it.
    if (deletionTimestamp !== undefined) await release(parts.pods, pods);
    else return proceed(job, pods, parts);
    return undefined;
  },
});

const isOver = (status: JobStatus): boolean => trueOf(status, 'Complete', 'Failed') !== undefined;

/** Returns the condition of one of some types that is true. */
function trueOf({ conditions = [] }: JobStatus, ...types: readonly string[]): JobCondition | undefined {
  return conditions.find(({ type, status }) => types.includes(type) && status === 'True');
}

/** Creates or deletes pods, and writes the status. */
async function proceed(job: KubeObject, pods: readonly KubeObject[], parts: Parts): Promise<Handled> {
  const { minor } = parts;
  const tracks = minor >= sinceTracking;
  const progress = progressOf(job, pods, tracks);
  const spec = part<JobSpec>(job, 'spec');
  const before = part<JobStatus>(job, 'status');
  const { suspend = false } = spec;
  const now = parts.now();
  const suspended = suspensionOf(before, suspend);
  // The time of a Job that goes on begins anew.
  const isResumed = suspended?.status === 'False';
  const startTime = isResumed || !(before.startTime || suspend) ? timestamp(now) : before.startTime;
  const deadline = suspend ? undefined : deadlineOf(spec, startTime);
  const isLate = deadline !== undefined && now.getTime() >= deadline;
  const decided = targetOf(before) ?? endingOf(spec, progress, isLate);
  const outcome = await fitted(job, spec, progress, decided === undefined, parts);
  const ending = decided ?? completionOf(spec, progress, outcome.active);
  const counts = tracks ? track(before, pods, (pod) => progress.countsAs(pod, ending)) : undefined;
  const { succeeded, failed } = counts ?? progress;
  const uncounted = counts?.uncounted;
  const isCounted = !uncounted || uncounted.succeeded.length + uncounted.failed.length === 0;
  const leaving = progress.terminating.length + (ending === undefined ? 0 : outcome.removed);
  const isEnded = ending !== undefined && isCounted && (leaving === 0 || minor < sinceTargets);
  const news: readonly JobCondition[] = [
    ...(suspended ? [suspended] : []),
    ...(ending && minor >= sinceTargets ? [targetFor(ending)] : []),
    ...(ending && isEnded ? [conditionFor(ending, minor)] : []),
  ];
  const conditions = withConditions(before.conditions ?? [], news, now);
  const { complete, failedIndexes } = progress;
  const status = {
    ...(conditions.length > 0 && { conditions }),
    ...(startTime !== undefined && { startTime }),
    ...(isEnded && ending.type === 'Complete' && { completionTime: timestamp(now) }),
    active: outcome.active,
    succeeded: complete ? progress.succeeded : succeeded,
    failed,
    ...(minor >= 29 && { terminating: isEnded ? 0 : progress.terminating.length + outcome.removed }),
    ...(complete && complete.length > 0 && { completedIndexes: indexesText(complete) }),
    ...(failedIndexes && { failedIndexes: indexesText(failedIndexes) }),
    ...(uncounted && { uncountedTerminatedPods: uncounted }),
    ...(minor >= 24 && { ready: ending || suspend ? 0 : progress.active.filter(isReady).length }),
  };
  const isWritten = await writeStatus(parts.jobs, job, 'JobStatus', status);
  if (isWritten) {
    for (const remark of remarksOn(suspended, isEnded ? ending : undefined)) {
      await parts.control.note(job, parts.control.about, remark);
    }
    await release(parts.pods, counts?.released ?? []);
  }
  if (outcome.next !== undefined) return outcome.next;
  return ending !== undefined || deadline === undefined ? undefined : Math.max(1, deadline - now.getTime());
}

/** The ending that the conditions have promised already. */
function targetOf(status: JobStatus): Ending | undefined {
  const target = trueOf(status, 'FailureTarget', 'SuccessCriteriaMet');
  if (target === undefined) return undefined;
  const { reason = '', message = '' } = target;
  return { type: target.type === 'FailureTarget' ? 'Failed' : 'Complete', reason, message };
}

/** A Job is complete that has so many successes, or any if it asks for no number, and no active pods. */
function completionOf({ completions }: JobSpec, { succeeded }: Progress, active: number): Ending | undefined {
  if (active > 0 || succeeded < (completions ?? 1)) return undefined;
  return { type: 'Complete', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' };
}

const targetFor = ({ type, ...why }: Ending): JobCondition => ({
  type: type === 'Failed' ? 'FailureTarget' : 'SuccessCriteriaMet',
  status: 'True',
  ...why,
});

/** The last condition of a Job. In earlier versions, one that is complete gives no reason. */
const conditionFor = ({ type, ...why }: Ending, minor: number): JobCondition => ({
  type,
  status: 'True',
  ...((type === 'Failed' || minor >= sinceTargets) && why),
});

/** The condition of a Job that has been suspended, or that goes on; undefined if it is as before. */
function suspensionOf(status: JobStatus, suspend: boolean): JobCondition | undefined {
  const isSuspended = trueOf(status, 'Suspended') !== undefined;
  if (isSuspended === suspend) return undefined;
  return suspend
    ? { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }
    : { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' };
}

/** Replaces the conditions of the types of others. One with the same status is as it was. */
function withConditions(before: readonly JobCondition[], news: readonly JobCondition[], now: Date) {
  const changed = news.filter(
    (each) => !before.some(({ type, status }) => type === each.type && status === each.status),
  );
  const times = { lastProbeTime: timestamp(now), lastTransitionTime: timestamp(now) };
  const all = [...before];
  for (const condition of changed) {
    const at = all.findIndex(({ type }) => type === condition.type);
    all.splice(at === -1 ? all.length : at, 1, { ...condition, ...times });
  }
  return all;
}

function* remarksOn(suspended: JobCondition | undefined, ending: Ending | undefined): Generator<Remark> {
  if (suspended !== undefined) {
    const reason = suspended.status === 'True' ? 'Suspended' : 'Resumed';
    yield { type: 'Normal', reason, message: suspended.message ?? '' };
  }
  if (ending?.type === 'Failed') yield { type: 'Warning', reason: ending.reason, message: ending.message };
  else if (ending !== undefined) yield { type: 'Normal', reason: 'Completed', message: 'Job completed' };
}

function deadlineOf({ activeDeadlineSeconds: seconds }: JobSpec, startTime: string | undefined): number | undefined {
  return seconds === undefined || startTime === undefined ? undefined : Date.parse(startTime) + Number(seconds) * 1000;
}

/** How many pods are to be active. Without a number of completions, the first success ends the work. */
function wantedOf(spec: JobSpec, { succeeded, failedIndexes, active }: Progress): number {
  const { parallelism = 1, completions } = spec;
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  const failed = failedIndexes ? countOfIndexes(failedIndexes) : 0;
  return Math.min(parallelism, Math.max(0, completions - succeeded - failed));
}

interface Fitted {
  readonly active: number;
  readonly removed: number;
  readonly next: Handled;
}

/**
 * Creates or deletes pods until so many are active; none is if the Job is not to run. Returns how many are, how many
 * are removed, and what is to follow: more pods, or another try after a refusal.
 */
async function fitted(
  job: KubeObject,
  spec: JobSpec,
  progress: Progress,
  goesOn: boolean,
  { control, pods, minor }: Parts,
): Promise<Fitted> {
  const { template = {}, completions = 0, podReplacementPolicy, backoffLimitPerIndex, suspend } = spec;
  const over = indexesOver(progress);
  const { active } = progress;
  const { kept, surplus } = over ? byIndex(active, completions) : { kept: active, surplus: [] };
  const wanted = goesOn && !suspend ? wantedOf(spec, progress) : 0;
  const leaving = [...kept.slice(wanted), ...surplus];
  // A pod that its Job does not want has not failed; the end of the Job says what the others count for.
  if (goesOn) await release(pods, leaving);
  for (const pod of leaving) await control.remove(job, pod);
  // With this policy, a pod is replaced once it has ended.
  const blocking = podReplacementPolicy === 'Failed' ? progress.terminating : [];
  const most = Math.max(Math.min(wanted, kept.length), Math.min(wanted - blocking.length, kept.length + burst));
  const indexes = over && freeIndexes(over, [...kept, ...blocking], { count: most - kept.length, completions });
  const { name = '' } = job.metadata;
  for (let count = kept.length; count < most; count++) {
    const index = indexes?.[count - kept.length];
    if (indexes !== undefined && index === undefined)
      return { active: count, removed: leaving.length, next: undefined };
    const made = podFrom(template, referenceTo(job, 'batch/v1', 'Job'));
    const pod = minor < sinceTracking ? made : trackedPod(made);
    const failures = backoffLimitPerIndex === undefined ? undefined : (progress.failuresOf.get(index ?? 0) ?? 0);
    const refusal = await control.create(job, index === undefined ? pod : withIndex(pod, name, index, failures));
    if (refusal !== undefined) return { active: count, removed: leaving.length, next: 'refused' };
  }
  const isMore = most < wanted - blocking.length;
  return { active: most, removed: leaving.length, next: isMore ? 'again' : undefined };
}

/** Removes a Job that has ended, once its time is over. */
async function removeLater(job: KubeObject, status: JobStatus, { jobs: store, now }: Parts): Promise<Handled> {
  const { ttlSecondsAfterFinished: seconds } = part<JobSpec>(job, 'spec');
  if (seconds === undefined) return undefined;
  const ended =
    Date.parse(status.completionTime ?? status.conditions?.at(-1)?.lastTransitionTime ?? '') || now().getTime();
  const left = ended + seconds * 1000 - now().getTime();
  if (left > 0) return left;
  const { uid } = job.metadata;
  const options = { dryRun: false, propagationPolicy: 'Background', ...(uid !== undefined && { uid }) } as const;
  await store.delete(objectKeyIn(job), options).catch(unless(404, 409));
  return undefined;
}
