// StatefulSets, ControllerRevisions and CronJobs: the workloads that came after the interface.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { replicaCounts } from '../../../registry/strategies/counts.js';
import { validateRestart } from '../../../registry/strategies/jobs.js';
import { validateTemplate, validateWorkload } from '../../../registry/strategies/workloads.js';
import type { Strategy } from '../../../registry/strategy.js';
import type { Causes } from '../../../schema/causes.js';
import { equal, type KubeObject, part } from '../../../schema/object.js';
import { readSchedule } from '../../workloads/schedule.js';

type Spec = Readonly<Record<string, unknown>>;

/** The fields of a StatefulSet that an update may change. */
const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

const withoutChangeable = (object: KubeObject): Spec =>
  Object.fromEntries(Object.entries(part<Spec>(object, 'spec')).filter(([name]) => !changeable.includes(name)));

/** Returns the set with the volumes that the controller adds to its pods: one for each claim. */
function withClaims(set: KubeObject): KubeObject {
  const spec = part<ObjectOf<'apps.v1.StatefulSetSpec'>>(set, 'spec');
  const { template = {}, volumeClaimTemplates = [] } = spec;
  const claims = new Set(volumeClaimTemplates.map(({ metadata }) => metadata?.name));
  const own = (template.spec?.volumes ?? []).filter(({ name }) => !claims.has(name));
  const added = [...claims].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const volumes = [...own, ...added];
  return { ...set, spec: { ...spec, template: { ...template, spec: { ...template.spec, volumes } } } };
}

export const statefulSets: Strategy = {
  generation: true,
  initialStatus: () => ({ replicas: 0, availableReplicas: 0 }),
  validate: (set, causes) => validateWorkload(withClaims(set), causes),
  validateUpdate(next, current, causes) {
    if (equal(withoutChangeable(next), withoutChangeable(current))) return;
    const names = changeable.map((name) => `'${name}'`);
    const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    causes.forbidden('spec', `updates to statefulset spec for fields other than ${listed} are forbidden`);
  },
  validateStatus: replicaCounts('readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'),
};

export const controllerRevisions: Strategy = {
  validate(revision, causes) {
    const { data, revision: number } = revision as { data?: unknown; revision?: number };
    if (data === undefined) causes.required('data', 'data is mandatory');
    causes.notNegative('revision', number);
  },
  validateUpdate(next, current, causes) {
    const { data } = next as { data?: unknown };
    causes.immutable('data', data, equal(data, (current as { data?: unknown }).data));
  },
};

/** The name of a Job has a suffix of 11 characters, and may have 63. */
const longestCronJobName = 52;

export const cronJobs: Strategy = {
  generation: true,
  validate(cronJob, causes) {
    const spec = part<ObjectOf<'batch.v1.CronJobSpec'>>(cronJob, 'spec');
    const { name = '' } = cronJob.metadata;
    if (name.length > longestCronJobName) {
      causes.invalid('metadata.name', name, `must be no more than ${longestCronJobName} characters`);
    }
    validateSchedule(spec.schedule ?? '', causes);
    causes.oneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']);
    for (const field of ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'] as const) {
      causes.notNegative(`spec.${field}`, spec[field]);
    }
    const { template = {} } = spec.jobTemplate?.spec ?? {};
    const job = spec.jobTemplate?.spec ?? {};
    validateTemplate(template, true, causes, 'spec.jobTemplate.spec.template');
    for (const field of ['parallelism', 'completions', 'activeDeadlineSeconds'] as const) {
      causes.notNegative(`spec.jobTemplate.spec.${field}`, job[field]);
    }
    if (job.selector !== undefined) {
      causes.invalid('spec.jobTemplate.spec.selector', job.selector, '`selector` will be auto-generated');
    }
    if (job.manualSelector === true) {
      causes.notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']);
    }
    validateRestart('spec.jobTemplate.spec.template.spec.restartPolicy', template.spec?.restartPolicy, causes);
  },
};

/** Checks that a schedule has five fields or is a descriptor, such as `@daily`. */
function validateSchedule(schedule: string, causes: Causes): void {
  if (schedule === '') causes.required('spec.schedule');
  if (schedule === '') return;
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== 5 && !schedule.startsWith('@')) {
    causes.invalid('spec.schedule', schedule, `expected exactly 5 fields, found ${fields.length}: [${schedule}]`);
    return;
  }
  try {
    readSchedule(schedule);
  } catch (error) {
    causes.invalid('spec.schedule', schedule, error instanceof Error ? error.message : 'failed to parse');
  }
}
