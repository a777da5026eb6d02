// Jobs in both versions.
import { field, list } from './field.js';

export const jobTypes = {
  Job: {
    metadata: field('ObjectMeta', 1),
    spec: field('JobSpec', 2),
    status: field('JobStatus', 3),
  },
  JobSpec: {
    parallelism: field('int32', 1, { presence: true }),
    completions: field('int32', 2, { presence: true }),
    activeDeadlineSeconds: field('int64', 3, { presence: true }),
    selector: field('LabelSelector', 4),
    manualSelector: field('boolean', 5, { presence: true }),
    template: field('PodTemplateSpec', 6, { required: true }),
  },
  JobStatus: {
    conditions: list('JobCondition', 1, { mergeKey: 'type', strategy: 'merge' }),
    startTime: field('time', 2, { presence: true }),
    completionTime: field('time', 3, { presence: true }),
    active: field('int32', 4),
    succeeded: field('int32', 5),
    failed: field('int32', 6),
  },
  JobCondition: {
    type: field('string', 1, { required: true }),
    status: field('string', 2, { required: true }),
    lastProbeTime: field('time', 3),
    lastTransitionTime: field('time', 4),
    reason: field('string', 5),
    message: field('string', 6),
  },
  'extensions.Job': {
    metadata: field('ObjectMeta', 1),
    spec: field('extensions.JobSpec', 2),
    status: field('extensions.JobStatus', 3),
  },
  'extensions.JobSpec': {
    parallelism: field('int32', 1, { presence: true }),
    completions: field('int32', 2, { presence: true }),
    activeDeadlineSeconds: field('int64', 3, { presence: true }),
    selector: field('LabelSelector', 4),
    autoSelector: field('boolean', 5, { presence: true }),
    template: field('PodTemplateSpec', 6, { required: true }),
  },
  'extensions.JobStatus': {
    conditions: list('extensions.JobCondition', 1, { mergeKey: 'type', strategy: 'merge' }),
    startTime: field('time', 2, { presence: true }),
    completionTime: field('time', 3, { presence: true }),
    active: field('int32', 4),
    succeeded: field('int32', 5),
    failed: field('int32', 6),
  },
  'extensions.JobCondition': {
    type: field('string', 1, { required: true }),
    status: field('string', 2, { required: true }),
    lastProbeTime: field('time', 3),
    lastTransitionTime: field('time', 4),
    reason: field('string', 5),
    message: field('string', 6),
  },
};
