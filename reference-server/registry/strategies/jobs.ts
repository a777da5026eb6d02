// Jobs: completions, parallelism, and the selector that the server generates for each Job.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { dns1123Label } from '../../schema/formats.js';
import { type DecodedObject, equal, type KubeObject, part } from '../../schema/object.js';
import { matcherOf } from '../../selectors/labels.js';
import type { Strategy } from '../strategy.js';
import { validateCounts } from './counts.js';
import { isReadable, validateSelector } from './labelSelector.js';
import { isOfEarlierGroup, validateTemplate } from './workloads.js';

/** The most pods at a time of an indexed job. */
const mostIndexed = 100_000;

/** How often the pods of a job may fail: a kube-controller-manager ends itself over a job that does not say. */
const usualBackoffLimit = 6;

const specOf = (object: KubeObject | DecodedObject) => part<ObjectOf<'batch.v1.JobSpec'>>(object, 'spec');

export const jobs: Strategy = {
  orphansByDefault: isOfEarlierGroup,

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
    if (Object.keys(object.metadata.labels ?? {}).length === 0 && labels) object.metadata.labels = labels;
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
    validateMode(specOf(job), 'spec', causes);
    validateIndexedName(job, causes);
    if (selector !== undefined) validateSelector('spec.selector', selector, causes);
    // Whether a selector that cannot be read selects the template cannot be said.
    const selects = selector !== undefined && (!isReadable(selector) || matcherOf(selector)(template.metadata?.labels));
    validateTemplate(template, selects, causes);
    validateRestart('spec.template.spec.restartPolicy', template.spec?.restartPolicy, causes);
  },

  validateStatus: (next, _current, causes) => validateCounts(next, causes),

  validateUpdate(next, current, causes) {
    const now = specOf(next);
    const before = specOf(current);
    const isElastic = now.completionMode === 'Indexed' && now.completions === now.parallelism;
    for (const name of ['completions', 'selector', 'template'] as const) {
      if (name === 'completions' && isElastic) continue;
      causes.immutable(`spec.${name}`, now[name], equal(now[name], before[name]));
    }
    // a job of a version without modes has the usual one
    const { completionMode: mode = 'NonIndexed' } = before;
    causes.immutable('spec.completionMode', now.completionMode, (now.completionMode ?? 'NonIndexed') === mode);
  },
};

/** Checks what only an indexed Job needs: its number of completions, and so many pods at most. */
export function validateMode(spec: Partial<ObjectOf<'batch.v1.JobSpec'>>, field: string, causes: Causes): void {
  const { completionMode, completions, parallelism = 0 } = spec;
  causes.oneOf(`${field}.completionMode`, completionMode, ['NonIndexed', 'Indexed']);
  if (completionMode !== 'Indexed') return;
  if (completions === undefined) causes.required(`${field}.completions`, 'when completion mode is Indexed');
  const why = `must be less than or equal to ${mostIndexed} when completion mode is Indexed`;
  if (parallelism > mostIndexed) causes.invalid(`${field}.parallelism`, parallelism, why);
}

/** The pods of an indexed Job have its name and their index as host name. */
function validateIndexedName(job: KubeObject, causes: Causes): void {
  const { completionMode, completions } = specOf(job);
  const { name } = job.metadata;
  const longest = `${name}-${(completions ?? 0) - 1}`;
  if (completionMode === 'Indexed' && completions && completions > 0 && dns1123Label(longest).length > 0) {
    causes.invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`);
  }
}

/** Pods of a Job end: those of a policy that real servers know and jobs cannot have are named as absent. */
export function validateRestart(field: string, policy: string | undefined, causes: Causes): void {
  const supported = ['OnFailure', 'Never'];
  if (policy === undefined || policy === '' || policy === 'Always') {
    causes.required(field, 'valid values: "OnFailure", "Never"');
  } else causes.oneOf(field, policy, supported);
}

/** Selects the pods of a Job by the Job's own uid. */
function selectByIdentity(object: DecodedObject): void {
  const { uid = '', name = '' } = object.metadata;
  const { selector, template, ...spec } = specOf(object);
  // A job without labels of its own has those of its pods.
  const areShared = object.metadata.labels === template?.metadata?.labels;
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
  if (areShared) object.metadata.labels = { ...object.metadata.labels, ...labels };
}

function requireGenerated(job: KubeObject, selector: ObjectOf<'LabelSelector'>, causes: Causes): void {
  // Later servers name the label with a domain.
  const labels = ['controller-uid', 'batch.kubernetes.io/controller-uid'];
  const isGenerated = labels.some((label) => equal(selector, { matchLabels: { [label]: job.metadata.uid } }));
  if (!isGenerated && isReadable(selector)) causes.invalid('spec.selector', selector, '`selector` not auto-generated');
}
