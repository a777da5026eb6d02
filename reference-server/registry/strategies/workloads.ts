// Kinds with a pod template: ReplicationController, ReplicaSet, Deployment, DaemonSet, PodTemplate.

import type { Resource } from '../../../matrix/api/index.js';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { type DecodedObject, equal, type KubeObject, part } from '../../schema/object.js';
import { matcherOf } from '../../selectors/labels.js';
import { validateLabels } from '../metadata.js';
import type { Strategy } from '../strategy.js';
import { replicaCounts, validateCounts } from './counts.js';
import { isReadable, validateSelector } from './labelSelector.js';
import { validatePodSpec } from './podSpec.js';

const specOf = (object: KubeObject | DecodedObject) =>
  part<ObjectOf<'extensions.v1beta1.DeploymentSpec'>>(object, 'spec');

/** Reports whether a version of a resource came with the interface; those of later groups, as apps/v1, delete dependents. */
export const isOfEarlierGroup = ({ modern }: Resource): boolean => modern !== true;

/** Takes labels and selector from the template unless they are set. */
function labelsFromTemplate(
  asSelector: (labels: Readonly<Record<string, string>>) => unknown,
): (object: DecodedObject) => void {
  return (object) => {
    const spec = specOf(object);
    const labels = spec.template?.metadata?.labels;
    if (labels === undefined || Object.keys(labels).length === 0) return;
    if (spec.selector === undefined || Object.keys(spec.selector).length === 0) {
      object.spec = withSelector(spec, asSelector(labels));
    }
    if (Object.keys(object.metadata.labels ?? {}).length === 0) object.metadata.labels = { ...labels };
  };
}

/** Restores the field order: the selector precedes the template. */
function withSelector({ template, ...spec }: ObjectOf<'extensions.v1beta1.DeploymentSpec'>, selector: unknown): object {
  return { ...spec, selector, ...(template && { template }) };
}

/** Checks that the selector matches the template, and that the pods would be valid. */
export function validateTemplate(
  template: ObjectOf<'PodTemplateSpec'>,
  selects: boolean,
  causes: Causes,
  field = 'spec.template',
): void {
  const { metadata: { labels } = {}, spec = {} } = template;
  if (!selects) causes.invalid(`${field}.metadata.labels`, labels, '`selector` does not match template `labels`');
  validateLabels(`${field}.labels`, labels, causes);
  validatePodSpec(`${field}.spec`, spec, causes);
}

/** Checks that the restart policy is Always. */
function validateAlways(template: ObjectOf<'PodTemplateSpec'>, causes: Causes): void {
  const { restartPolicy } = template.spec ?? {};
  if (restartPolicy !== undefined && restartPolicy !== 'Always') {
    causes.notSupported('spec.template.spec.restartPolicy', restartPolicy, ['Always']);
  }
}

const empty = ({ matchLabels = {}, matchExpressions = [] }: ObjectOf<'LabelSelector'>): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length === 0;

/** Checks the counts, the selector and the template of a workload. */
export function validateWorkload(object: KubeObject, causes: Causes): void {
  const { replicas, minReadySeconds, selector, template = {} } = specOf(object);
  causes.notNegative('spec.replicas', replicas);
  causes.notNegative('spec.minReadySeconds', minReadySeconds);
  const { kind } = object;
  if (selector === undefined) {
    if (kind !== 'DaemonSet') causes.required('spec.selector');
    validateTemplate(template, false, causes);
  } else {
    if (empty(selector))
      causes.invalid('spec.selector', selector, `empty selector is invalid for ${workloadIn(object)}`);
    validateSelector('spec.selector', selector, causes);
    if (isReadable(selector)) validateTemplate(template, matcherOf(selector)(template.metadata?.labels), causes);
    // Whether it selects the template cannot be said.
    else if (kind === 'DaemonSet') validateTemplate(template, true, causes);
    else causes.invalid('spec.selector', selector, kind === 'StatefulSet' ? '' : 'invalid label selector');
  }
  validateAlways(template, causes);
}

/** Real servers speak of a ReplicaSet as a deployment. */
const workloadIn = ({ kind }: KubeObject): string =>
  kind === 'DaemonSet' || kind === 'StatefulSet' ? kind.toLowerCase() : 'deployment';

/** In apps/v1, the selector of a workload never changes. */
function validateSameSelector(next: KubeObject, current: KubeObject, causes: Causes, view: Resource): void {
  const { selector } = specOf(next);
  if (view.modern === true) causes.immutable('spec.selector', selector, equal(selector, specOf(current).selector));
}

export const replicationControllers: Strategy = {
  generation: true,
  orphansByDefault: isOfEarlierGroup,
  initialStatus: () => ({ replicas: 0 }),
  defaults: labelsFromTemplate((labels) => ({ ...labels })),
  validateStatus: replicaCounts('fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'),
  validate(object, causes) {
    const { replicas, minReadySeconds, selector, template } = part<ObjectOf<'ReplicationControllerSpec'>>(
      object,
      'spec',
    );
    causes.notNegative('spec.replicas', replicas);
    causes.notNegative('spec.minReadySeconds', minReadySeconds);
    const matchLabels = selector ?? {};
    if (Object.keys(matchLabels).length === 0) causes.required('spec.selector');
    if (template === undefined) causes.required('spec.template');
    else {
      validateTemplate(template, matcherOf({ matchLabels })(template.metadata?.labels), causes);
      validateAlways(template, causes);
    }
  },
};

export const replicaSets: Strategy = {
  generation: true,
  orphansByDefault: isOfEarlierGroup,
  initialStatus: () => ({ replicas: 0 }),
  defaults: labelsFromTemplate((labels) => ({ matchLabels: { ...labels } })),
  validate: validateWorkload,
  validateUpdate: validateSameSelector,
  validateStatus: replicaCounts('fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'),
};

export const daemonSets: Strategy = {
  generation: true,
  initialStatus: () => ({
    currentNumberScheduled: 0,
    numberMisscheduled: 0,
    desiredNumberScheduled: 0,
    numberReady: 0,
  }),
  defaults: labelsFromTemplate((labels) => ({ matchLabels: { ...labels } })),
  validate: validateWorkload,
  validateUpdate: validateSameSelector,
  validateStatus: (next, _current, causes) => validateCounts(next, causes),
};

export const deployments: Strategy = {
  // A deployment copies its annotations to its ReplicaSets.
  generation: 'annotations',
  statusKeepsLabels: true,
  validateStatus: replicaCounts('updatedReplicas', 'readyReplicas', 'availableReplicas'),
  defaults: labelsFromTemplate((labels) => ({ matchLabels: { ...labels } })),
  validateUpdate: validateSameSelector,
  validate(object, causes) {
    validateWorkload(object, causes);
    const { strategy, revisionHistoryLimit, progressDeadlineSeconds, minReadySeconds = 0 } = specOf(object);
    validateStrategy('spec.strategy', strategy ?? {}, causes);
    causes.notNegative('spec.revisionHistoryLimit', revisionHistoryLimit);
    causes.notNegative('spec.progressDeadlineSeconds', progressDeadlineSeconds);
    if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds) {
      causes.invalid('spec.progressDeadlineSeconds', progressDeadlineSeconds, 'must be greater than minReadySeconds');
    }
  },
};

/** Reports whether a number or a share is none: what is neither counts as 0. */
export function isNone(value: number | string | undefined): boolean {
  if (typeof value !== 'string') return value === 0;
  const digits = value.endsWith('%') ? value.slice(0, -1) : value.replace(/^[-+]/, '');
  return !(/^\d+$/.test(digits) && /[1-9]/.test(digits));
}

function validateStrategy(
  field: string,
  { type, rollingUpdate }: ObjectOf<'extensions.v1beta1.DeploymentStrategy'>,
  causes: Causes,
): void {
  const types = ['Recreate', 'RollingUpdate'];
  if (type !== undefined && !types.includes(type)) causes.notSupported(field, { type, rollingUpdate }, types);
  if (type === 'Recreate' && rollingUpdate) {
    causes.forbidden(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'");
  }
  if (type !== 'RollingUpdate' || rollingUpdate === undefined) return;
  const { maxUnavailable, maxSurge } = rollingUpdate;
  for (const [name, value] of Object.entries({ maxUnavailable, maxSurge })) {
    const at = `${field}.rollingUpdate.${name}`;
    if (typeof value === 'number') causes.notNegative(at, value);
    else if (value !== undefined && !/^\d+%$/.test(value)) {
      causes.invalid(
        at,
        value,
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      );
    }
  }
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    causes.invalid(`${field}.rollingUpdate.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0');
  }
  if (
    typeof maxUnavailable === 'string' &&
    /^\d+%$/.test(maxUnavailable) &&
    Number.parseInt(maxUnavailable, 10) > 100
  ) {
    causes.invalid(`${field}.rollingUpdate.maxUnavailable`, maxUnavailable, 'must not be greater than 100%');
  }
}

export const podTemplates: Strategy = {
  deleteAnswersObject: true,
  validate(object, causes) {
    const { metadata: { labels } = {}, spec = {} } = part<ObjectOf<'PodTemplateSpec'>>(object, 'template');
    validateLabels('template.labels', labels, causes);
    validatePodSpec('template.spec', spec, causes);
  },
};
