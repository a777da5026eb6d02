// Jobs: pods that run until enough of them have succeeded, or too many have failed.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { claimed, claimedBy } from '../../controllers/claims.js';
import type { Controller, Handled } from '../../controllers/controller.js';
import type { Remark } from '../../controllers/events.js';
import { timestamp } from '../../registry/metadata.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import { unless } from '../../statusError.js';
import {
  byIndex,
  completeIndexes,
  countOfIndexes,
  freeIndexes,
  type Intervals,
  indexesText,
  withIndex,
} from './completionIndexes.js';
import type { PodControl } from './podControl.js';
import { burst, isOver, isReady, phaseOf, podFrom, referenceTo } from './pods.js';
import { writeStatus } from './status.js';

interface Parts {
  readonly pods: Pick<Store, 'list' | 'updateInternally'>;
  readonly control: PodControl;
  readonly jobs: Pick<Store, 'find' | 'list' | 'updateInternally' | 'delete'>;
  readonly now: () => Date;
}

type JobSpec = ObjectOf<'batch.v1.JobSpec'>;
type JobStatus = ObjectOf<'batch.v1.JobStatus'>;
type JobCondition = ObjectOf<'batch.v1.JobCondition'>;

/** How often a Job's pods may fail if its spec does not say. */
const usualBackoffLimit = 6;

export const jobController = (parts: Parts): Controller => ({
  name: 'job-controller',
  feature: 'job-controller',
  resource: 'batch/jobs',
  sources: [claimedBy('Job', 'core/pods', parts.jobs, (owner) => part<JobSpec>(owner, 'spec').selector)],
  async reconcile(job) {
    if (job.metadata.deletionTimestamp !== undefined) return undefined;
    const status = part<JobStatus>(job, 'status');
    const finished = status.conditions?.find(({ type, status }) => isEnd(type) && status === 'True');
    if (finished !== undefined) return removeLater(job, status, parts);
    const pods = await claimed({
      owner: job,
      reference: referenceTo(job, 'batch/v1', 'Job'),
      store: parts.pods,
      owners: parts.jobs,
      selector: part<JobSpec>(job, 'spec').selector,
    });
    return proceed(job, pods, parts);
  },
});

const isEnd = (type: string): boolean => type === 'Complete' || type === 'Failed';

/** Creates or deletes pods, and writes the status. */
async function proceed(job: KubeObject, pods: readonly KubeObject[], parts: Parts): Promise<Handled> {
  const spec = part<JobSpec>(job, 'spec');
  const before = part<JobStatus>(job, 'status');
  const { parallelism = 1, completions, backoffLimit = usualBackoffLimit, suspend = false } = spec;
  const now = parts.now();
  const active = pods.filter((pod) => !isOver(pod));
  const complete =
    spec.completionMode === 'Indexed' && completions !== undefined
      ? completeIndexes(before.completedIndexes ?? '', pods, completions)
      : undefined;
  const succeeded = complete ? countOfIndexes(complete) : pods.filter((pod) => phaseOf(pod) === 'Succeeded').length;
  const failed = pods.filter((pod) => phaseOf(pod) === 'Failed').length;
  const startTime = before.startTime ?? (suspend ? undefined : timestamp(now));
  const deadline = deadlineOf(spec, startTime);
  const failure = failureOf(failed, backoffLimit, deadline, now);
  // Without a number of completions, the first success ends the work, and the others may end theirs.
  const isComplete = completions === undefined ? succeeded > 0 && active.length === 0 : succeeded >= completions;
  const isEnded = failure !== undefined || isComplete;
  const left = completions === undefined ? (succeeded > 0 ? 0 : parallelism) : completions - succeeded;
  const wanted = isEnded || suspend ? 0 : Math.min(parallelism, left);
  const outcome = await fitted(
    job,
    spec,
    active,
    { wanted: completions === undefined && succeeded > 0 ? active.length : wanted, complete },
    parts,
  );
  const stays = isEnded || suspend ? 0 : outcome.active;
  const end: JobCondition | undefined =
    failure !== undefined
      ? { type: 'Failed', status: 'True', ...failure }
      : isComplete
        ? { type: 'Complete', status: 'True' }
        : undefined;
  const conditions = end === undefined ? before.conditions : [...(before.conditions ?? []), withTimes(end, now)];
  const status = {
    ...(conditions && { conditions }),
    ...(startTime !== undefined && { startTime }),
    ...(isComplete && failure === undefined && { completionTime: timestamp(now) }),
    active: stays,
    succeeded,
    failed,
    ...(complete && complete.length > 0 && { completedIndexes: indexesText(complete) }),
    ready: active.filter(isReady).length,
  };
  await writeStatus(parts.jobs, job, 'JobStatus', status);
  if (end !== undefined) await noteEnd(job, end, parts);
  if (outcome.next !== undefined) return outcome.next;
  return isEnded || deadline === undefined ? undefined : Math.max(1, deadline - now.getTime());
}

async function noteEnd(job: KubeObject, { type, reason, message }: JobCondition, { control }: Parts): Promise<void> {
  const remark: Remark =
    type === 'Failed'
      ? { type: 'Warning', reason: reason ?? '', message: message ?? '' }
      : { type: 'Normal', reason: 'Completed', message: 'Job completed' };
  await control.note(job, control.about, remark);
}

const withTimes = (condition: JobCondition, now: Date) => ({
  ...condition,
  lastProbeTime: timestamp(now),
  lastTransitionTime: timestamp(now),
});

function deadlineOf({ activeDeadlineSeconds: seconds }: JobSpec, startTime: string | undefined): number | undefined {
  return seconds === undefined || startTime === undefined ? undefined : Date.parse(startTime) + Number(seconds) * 1000;
}

function failureOf(failed: number, backoffLimit: number, deadline: number | undefined, now: Date) {
  if (failed > backoffLimit) {
    return { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  }
  if (deadline === undefined || now.getTime() < deadline) return undefined;
  return { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
}

/**
 * Creates or deletes pods until so many are active; `complete` are the indexes of an indexed Job. Returns how many are
 * active, and what is to follow: more pods, or another try after a refusal.
 */
async function fitted(
  job: KubeObject,
  { template = {}, completions = 0 }: JobSpec,
  active: readonly KubeObject[],
  { wanted, complete }: { readonly wanted: number; readonly complete: Intervals | undefined },
  { control }: Parts,
): Promise<{ active: number; next: Handled }> {
  const { kept, surplus } = complete ? byIndex(active, completions) : { kept: active, surplus: [] };
  const most = Math.min(wanted, kept.length + burst);
  const indexes = complete && freeIndexes(complete, kept, { count: most - kept.length, completions });
  const { name = '' } = job.metadata;
  for (let count = kept.length; count < most; count++) {
    const pod = podFrom(template, referenceTo(job, 'batch/v1', 'Job'));
    const index = indexes?.[count - kept.length];
    const refusal = await control.create(job, index === undefined ? pod : withIndex(pod, name, index));
    if (refusal !== undefined) return { active: count, next: 'refused' };
  }
  for (const pod of [...kept.slice(wanted), ...surplus]) await control.remove(job, pod);
  return { active: most, next: most < wanted ? 'again' : undefined };
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
