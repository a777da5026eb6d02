// The columns of jobs and horizontal pod autoscalers.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { ageOf, durationText } from './age.js';
import { ageColumn, nameColumn, none, tableOf, unset } from './column.js';
import { selectorColumn, templateColumns } from './workloads.js';

/** The conditions of a job that are shown as its status; the first one that is true wins. */
const ends = { Complete: 'Complete', Failed: 'Failed' };
const interruptions = {
  Suspended: 'Suspended',
  FailureTarget: 'FailureTarget',
  SuccessCriteriaMet: 'SuccessCriteriaMet',
};

function firstTrue({ status }: ObjectOf<'batch.v1.Job'>, shown: Readonly<Record<string, string>>): string | undefined {
  const types = (status?.conditions ?? []).filter((condition) => condition.status === 'True').map(({ type }) => type);
  return Object.keys(shown).find((type) => types.includes(type));
}

export const jobColumns = tableOf<ObjectOf<'batch.v1.Job'>>([
  nameColumn,
  {
    name: 'Status',
    description: 'The state of the job.',
    cell: (job) =>
      firstTrue(job, ends) ??
      (job.metadata.deletionTimestamp ? 'Terminating' : (firstTrue(job, interruptions) ?? 'Running')),
  },
  {
    name: 'Completions',
    description: 'How many pods have succeeded, of those that should.',
    cell: ({ spec, status }) => {
      const { completions, parallelism = 0 } = spec ?? {};
      const of = completions ?? (parallelism > 1 ? `1 of ${parallelism}` : 1);
      return `${status?.succeeded ?? 0}/${of}`;
    },
  },
  {
    name: 'Duration',
    description: 'How long the job has run.',
    cell: ({ status }, now) => {
      const { startTime, completionTime } = status ?? {};
      if (!startTime) return '';
      return completionTime ? durationText(Date.parse(completionTime) - Date.parse(startTime)) : ageOf(startTime, now);
    },
  },
  ageColumn,
  ...templateColumns,
  selectorColumn,
]);

/** An autoscaler of `autoscaling/v1`, or of `extensions/v1beta1`, whose fields have other names. */
type Autoscaler = ObjectOf<'autoscaling.v1.HorizontalPodAutoscaler'> & {
  readonly spec?: {
    readonly scaleRef?: ObjectOf<'autoscaling.v1.CrossVersionObjectReference'>;
    readonly cpuUtilization?: { readonly targetPercentage?: number };
  };
};

export const autoscalerColumns = tableOf<Autoscaler>([
  nameColumn,
  {
    name: 'Reference',
    description: 'What is scaled.',
    cell: ({ spec }) => {
      const { kind = '', name = '' } = spec?.scaleTargetRef ?? spec?.scaleRef ?? {};
      return `${kind}/${name}`;
    },
  },
  {
    name: 'Targets',
    description: 'The measured value and the target of each metric.',
    cell: ({ spec, status }) => {
      const target = spec?.targetCPUUtilizationPercentage ?? spec?.cpuUtilization?.targetPercentage;
      if (target === undefined) return none;
      const current = status?.currentCPUUtilizationPercentage;
      return `cpu: ${current === undefined ? '<unknown>' : `${current}%`}/${target}%`;
    },
  },
  {
    name: 'MinPods',
    description: 'The fewest pods.',
    cell: ({ spec }) => (spec?.minReplicas === undefined ? unset : String(spec.minReplicas)),
  },
  { name: 'MaxPods', description: 'The most pods.', cell: ({ spec }) => spec?.maxReplicas ?? 0 },
  {
    name: 'Replicas',
    description: 'How many pods there are.',
    cell: ({ status }) => status?.currentReplicas ?? 0,
  },
  ageColumn,
]);
