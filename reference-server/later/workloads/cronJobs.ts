// CronJobs: a Job at each time of the schedule.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { controlledBy, referenceTo } from '../../controllers/claims.js';
import type { Controller, Handled } from '../../controllers/controller.js';
import type { Note } from '../../controllers/events.js';
import { timestamp } from '../../registry/metadata.js';
import type { Store } from '../../registry/store.js';
import { controls, type KubeObject, objectKeyIn, part } from '../../schema/object.js';
import { unless } from '../../statusError.js';
import { readSchedule, type Schedule } from './schedule.js';
import { writeStatus } from './status.js';

interface Parts {
  readonly cronJobs: Pick<Store, 'updateInternally'>;
  readonly jobs: Pick<Store, 'list' | 'create' | 'delete'>;
  readonly note: Note;
  readonly now: () => Date;
}

type CronJobSpec = ObjectOf<'batch.v1.CronJobSpec'>;

/** A timer cannot wait for longer, in milliseconds. */
const longestWait = 24 * 3600 * 1000;

/** The annotation of a Job with the time of the schedule that it is for. */
const scheduledAt = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

export const cronJobController = (parts: Parts): Controller => ({
  name: 'cronjob-controller',
  feature: 'cronjob-controller',
  resource: 'batch/cronjobs',
  sources: [controlledBy('CronJob', 'batch/jobs')],
  async reconcile(cronJob) {
    if (cronJob.metadata.deletionTimestamp !== undefined) return undefined;
    const spec = part<CronJobSpec>(cronJob, 'spec');
    const { entries } = await parts.jobs.list(cronJob.metadata.namespace);
    const jobs = entries.map(({ value }) => value).filter((job) => controls(cronJob, job));
    await forgetOldest(cronJob, jobs, spec, parts);
    const { due, next } = timesOf(cronJob, spec, parts.now());
    const active = jobs.filter((job) => endOf(job) === undefined);
    const mayStart =
      due !== undefined && spec.suspend !== true && !(spec.concurrencyPolicy === 'Forbid' && active.length > 0);
    const started = mayStart ? await start(cronJob, spec, due, active, parts) : undefined;
    const now = started === undefined ? active : [...(spec.concurrencyPolicy === 'Replace' ? [] : active), started];
    await noteTimes(cronJob, jobs, now, started === undefined ? undefined : due, parts);
    return spec.suspend === true ? undefined : next;
  },
});

/** The last time of the schedule that is not handled yet, and the milliseconds until the next one. */
function timesOf(cronJob: KubeObject, spec: CronJobSpec, now: Date): { due: Date | undefined; next: Handled } {
  const { schedule = '', timeZone, startingDeadlineSeconds: deadline } = spec;
  const { lastScheduleTime } = part<ObjectOf<'batch.v1.CronJobStatus'>>(cronJob, 'status');
  const last = new Date(lastScheduleTime ?? cronJob.metadata.creationTimestamp ?? '');
  let times: Schedule;
  try {
    times = readSchedule(schedule, timeZone);
  } catch {
    return { due: undefined, next: undefined };
  }
  const previous = times.previous(now, last);
  const isNew = previous !== undefined && previous > last;
  const isLate =
    deadline !== undefined && previous !== undefined && now.getTime() - previous.getTime() > Number(deadline) * 1000;
  const next = times.next(now, last);
  return {
    due: isNew && !isLate ? previous : undefined,
    next: next === undefined ? undefined : Math.min(longestWait, Math.max(1, next.getTime() - now.getTime())),
  };
}

/** Creates the Job of a time. Its name has the time in minutes, so that no time gets two. */
async function start(
  cronJob: KubeObject,
  { concurrencyPolicy, jobTemplate = {} }: CronJobSpec,
  due: Date,
  active: readonly KubeObject[],
  { jobs, note }: Parts,
): Promise<KubeObject | undefined> {
  if (concurrencyPolicy === 'Replace') for (const job of active) await remove(cronJob, job, { jobs, note });
  const { namespace, name } = cronJob.metadata;
  const { labels, annotations } = jobTemplate.metadata ?? {};
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${name}-${Math.floor(due.getTime() / 60_000)}`,
      ...(labels && { labels }),
      annotations: { ...annotations, [scheduledAt]: timestamp(due) },
      ownerReferences: [referenceTo(cronJob, 'batch/v1', 'CronJob')],
    },
    spec: { parallelism: 1, completions: 1, ...jobTemplate.spec },
  };
  const created = (await jobs.create(namespace, job).catch(unless(403, 404, 409, 422)))?.value;
  if (created !== undefined) {
    const message = `Created job ${job.metadata.name}`;
    await note(cronJob, cronJobKind, { type: 'Normal', reason: 'SuccessfulCreate', message });
  }
  return created;
}

const cronJobKind = { apiVersion: 'batch/v1', kind: 'CronJob' };

async function remove(
  cronJob: KubeObject,
  job: KubeObject,
  { jobs, note }: Pick<Parts, 'jobs' | 'note'>,
): Promise<void> {
  const options = { dryRun: false, propagationPolicy: 'Background' } as const;
  if ((await jobs.delete(objectKeyIn(job), options).catch(unless(404, 409))) === undefined) return;
  const message = `Deleted job ${job.metadata.name}`;
  await note(cronJob, cronJobKind, { type: 'Normal', reason: 'SuccessfulDelete', message });
}

function endOf(job: KubeObject): 'Complete' | 'Failed' | undefined {
  const { conditions = [] } = part<ObjectOf<'batch.v1.JobStatus'>>(job, 'status');
  const end = conditions.find(({ type, status }) => status === 'True' && ['Complete', 'Failed'].includes(type));
  return end?.type as 'Complete' | 'Failed' | undefined;
}

/** Removes the oldest Jobs beyond the limits of the history. */
async function forgetOldest(
  cronJob: KubeObject,
  jobs: readonly KubeObject[],
  spec: CronJobSpec,
  parts: Parts,
): Promise<void> {
  const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = spec;
  for (const [end, limit] of [
    ['Complete', successfulJobsHistoryLimit],
    ['Failed', failedJobsHistoryLimit],
  ] as const) {
    const ended = jobs
      .filter((job) => endOf(job) === end)
      .sort((one, other) =>
        (other.metadata.creationTimestamp ?? '').localeCompare(one.metadata.creationTimestamp ?? ''),
      );
    for (const job of ended.slice(limit)) await remove(cronJob, job, parts);
  }
}

async function noteTimes(
  cronJob: KubeObject,
  jobs: readonly KubeObject[],
  active: readonly KubeObject[],
  scheduled: Date | undefined,
  { cronJobs: store }: Parts,
): Promise<void> {
  const before = part<ObjectOf<'batch.v1.CronJobStatus'>>(cronJob, 'status');
  const ends = jobs.map((job) => part<ObjectOf<'batch.v1.JobStatus'>>(job, 'status').completionTime ?? '').sort();
  const lastSuccessfulTime = ends.at(-1) || before.lastSuccessfulTime;
  const lastScheduleTime = scheduled === undefined ? before.lastScheduleTime : timestamp(scheduled);
  const references = active.map(({ metadata: { name, namespace, uid, resourceVersion } }) => ({
    kind: 'Job',
    namespace,
    name,
    uid,
    apiVersion: 'batch/v1',
    resourceVersion,
  }));
  const status = {
    ...(references.length > 0 && { active: references }),
    ...(lastScheduleTime !== undefined && { lastScheduleTime }),
    ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
  };
  await writeStatus(store, cronJob, 'batch.v1.CronJobStatus', status);
}
