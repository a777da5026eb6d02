// Jobs: completions, parallelism, and the selector that the server generates for each Job.

import type { Causes } from '../../schema/causes.js';
import { type DecodedObject, equal, type KubeObject, part } from '../../schema/object.js';
import { type LabelSelector, matcherOf } from '../../selectors/labels.js';
import type { Strategy } from '../strategy.js';
import { validateCounts } from './counts.js';
import { validateSelector } from './labelSelector.js';
import { type PodTemplate, validateTemplate } from './workloads.js';

interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly activeDeadlineSeconds?: number;
  readonly selector?: LabelSelector;
  readonly manualSelector?: boolean;
  readonly template?: PodTemplate;
  readonly backoffLimit?: number;
}

/** How often the pods of a job may fail: a kube-controller-manager ends itself over a job that does not say. */
const usualBackoffLimit = 6;

const specOf = (object: KubeObject | DecodedObject) => part<JobSpec>(object, 'spec');

export const jobs: Strategy = {
  orphansByDefault: true,

  defaults(object) {
    const { parallelism, completions, activeDeadlineSeconds, selector, manualSelector, ...rest } = specOf(object);
    const labels = rest.template?.metadata?.labels;
    const once = parallelism === undefined && completions === undefined;
    object.spec = {
      parallelism: parallelism ?? 1,
      ...(once ? { completions: 1 } : completions !== undefined && { completions }),
      ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
      ...(selector && { selector }),
      ...(manualSelector !== undefined && { manualSelector }),
      ...rest,
      ...(rest.backoffLimit === undefined && { backoffLimit: usualBackoffLimit }),
    };
    if (Object.keys(object.metadata.labels ?? {}).length === 0 && labels) object.metadata.labels = { ...labels };
  },

  prepareCreate(object) {
    if (!specOf(object).manualSelector) selectByIdentity(object);
  },

  validate(job, causes) {
    const { parallelism, completions, activeDeadlineSeconds, selector, manualSelector, template = {} } = specOf(job);
    if (selector === undefined) causes.required('spec.selector');
    else if (!manualSelector) requireGenerated(job, selector, causes);
    causes.notNegative('spec.parallelism', parallelism);
    causes.notNegative('spec.completions', completions);
    causes.notNegative('spec.activeDeadlineSeconds', activeDeadlineSeconds);
    const valid = selector !== undefined && validateSelector('spec.selector', selector, causes);
    validateTemplate(template, valid && matcherOf(selector)(template.metadata?.labels), causes);
    const { restartPolicy = '' } = template.spec ?? {};
    if (!['OnFailure', 'Never'].includes(restartPolicy)) {
      causes.required('spec.template.spec.restartPolicy', 'valid values: "OnFailure", "Never"');
    }
  },

  validateStatus: (next, _current, causes) => validateCounts(next, causes),

  validateUpdate(next, current, causes) {
    const now = specOf(next);
    const before = specOf(current);
    for (const name of ['completions', 'selector', 'template'] as const) {
      causes.immutable(`spec.${name}`, now[name], equal(now[name], before[name]));
    }
  },
};

/** Selects the pods of a Job by the Job's own uid. */
function selectByIdentity(object: DecodedObject): void {
  const { uid = '', name = '' } = object.metadata;
  const { selector, template, ...spec } = specOf(object) as JobSpec & { template?: PodTemplate };
  const own = { 'controller-uid': uid };
  const labels = { ...own, 'job-name': name };
  object.spec = {
    ...spec,
    selector: { ...selector, matchLabels: { ...selector?.matchLabels, ...own } },
    template: {
      ...template,
      metadata: { ...template?.metadata, labels: { ...template?.metadata?.labels, ...labels } },
    },
  };
  object.metadata.labels = { ...object.metadata.labels, ...labels };
}

function requireGenerated(job: KubeObject, selector: LabelSelector, causes: Causes): void {
  const expected = { matchLabels: { 'controller-uid': job.metadata.uid } };
  if (!equal(selector, expected)) causes.invalid('spec.selector', selector, '`selector` not auto-generated');
}
