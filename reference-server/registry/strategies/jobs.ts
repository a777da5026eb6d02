// Jobs: how often and how many at once, and the selector that is made for each of them.
import { type Draft, equal, type KubeObject, part } from '../../schema/object.js';
import { matcherOf } from '../../selectors/labels.js';
import type { Causes } from '../causes.js';
import type { Strategy } from '../strategy.js';
import { validateCounts } from './counts.js';
import { type LabelSelector, validateSelector } from './labelSelector.js';
import { type PodTemplate, validateTemplate } from './workloads.js';

interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly activeDeadlineSeconds?: number;
  readonly selector?: LabelSelector;
  readonly manualSelector?: boolean;
  readonly template?: PodTemplate;
}

const specOf = (object: KubeObject | Draft) => part<JobSpec>(object, 'spec');

export const jobs: Strategy = {
  orphansByDefault: true,

  defaults(draft) {
    const { parallelism, completions, activeDeadlineSeconds, selector, manualSelector, ...rest } = specOf(draft);
    const labels = rest.template?.metadata?.labels;
    const once = parallelism === undefined && completions === undefined;
    draft.spec = {
      parallelism: parallelism ?? 1,
      ...(once ? { completions: 1 } : completions !== undefined && { completions }),
      ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
      ...(selector && { selector }),
      ...(manualSelector !== undefined && { manualSelector }),
      ...rest,
    };
    if (Object.keys(draft.metadata.labels ?? {}).length === 0 && labels) draft.metadata.labels = { ...labels };
  },

  prepareCreate(draft) {
    if (!specOf(draft).manualSelector) selectByIdentity(draft);
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

/** Its own uid tells a job's pods from all others. */
function selectByIdentity(draft: Draft): void {
  const { uid = '', name = '' } = draft.metadata;
  const { selector, template, ...spec } = specOf(draft) as JobSpec & { template?: PodTemplate };
  const own = { 'controller-uid': uid };
  const labels = { ...own, 'job-name': name };
  draft.spec = {
    ...spec,
    selector: { ...selector, matchLabels: { ...selector?.matchLabels, ...own } },
    template: {
      ...template,
      metadata: { ...template?.metadata, labels: { ...template?.metadata?.labels, ...labels } },
    },
  };
  draft.metadata.labels = { ...draft.metadata.labels, ...labels };
}

function requireGenerated(job: KubeObject, selector: LabelSelector, causes: Causes): void {
  const expected = { matchLabels: { 'controller-uid': job.metadata.uid } };
  if (!equal(selector, expected)) causes.invalid('spec.selector', selector, '`selector` not auto-generated');
}
