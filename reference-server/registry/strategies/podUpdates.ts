// Which fields of a pod's spec an update may change. A pod with scheduling gates may still be bound to fewer nodes.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { equal, type KubeObject, part } from '../../schema/object.js';

type PodSpec = ObjectOf<'PodSpec'>;

const changeable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Checks the changes of a pod: images, an earlier deadline, more tolerations, and fewer scheduling gates. */
export function validatePodUpdate(next: KubeObject, current: KubeObject, causes: Causes): void {
  const spec = part<PodSpec>(next, 'spec');
  const before = part<PodSpec>(current, 'spec');
  if (spec === before) return;
  for (const list of ['containers', 'initContainers'] as const) {
    if ((spec[list] ?? []).length === (before[list] ?? []).length) continue;
    causes.forbidden(`spec.${list}`, 'pod updates may not add or remove containers');
    return;
  }
  validateDeadline(spec.activeDeadlineSeconds, before.activeDeadlineSeconds, causes);
  validateTolerations(spec.tolerations, before.tolerations, causes);
  validateGates(spec, before, causes);
  if (isGated(before)) validateChoice(spec, before, causes);
  if (!equal(fixed(spec, before), before)) causes.forbidden('spec', changeable);
}

/** Checks that a deadline is set, or made earlier, but not removed or made later. */
function validateDeadline(next: number | undefined, before: number | undefined, causes: Causes): void {
  if (before === undefined || (next !== undefined && next <= before)) return;
  const why =
    next === undefined
      ? 'must not update from a positive integer to nil value'
      : 'must be less than or equal to previous value';
  causes.invalid('spec.activeDeadlineSeconds', next, why);
}

/** Checks that each toleration is still there. Only its time may change. */
function validateTolerations(
  next: readonly ObjectOf<'Toleration'>[] = [],
  before: readonly ObjectOf<'Toleration'>[] = [],
  causes: Causes,
): void {
  const untimed = ({ key = '', operator = 'Equal', value = '', effect = '' }: ObjectOf<'Toleration'>) =>
    JSON.stringify([key, operator, value, effect]);
  const kept = new Set(next.map(untimed));
  if (!before.every((toleration) => kept.has(untimed(toleration)))) {
    causes.forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds');
  }
}

function validateGates(next: PodSpec, before: PodSpec, causes: Causes): void {
  const known = new Set(before.schedulingGates?.map(({ name }) => name));
  for (const [index, { name }] of (next.schedulingGates ?? []).entries()) {
    if (known.has(name)) continue;
    causes.forbidden(
      `spec.schedulingGates[${index}].name`,
      `only deletion is allowed, but found new scheduling gate '${name}'`,
    );
  }
}

const isGated = ({ schedulingGates = [] }: PodSpec): boolean => schedulingGates.length > 0;
const requiredOf = ({ affinity }: PodSpec) => affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;

/** Checks that what chooses the nodes of a pod with gates becomes narrower. */
function validateChoice(next: PodSpec, before: PodSpec, causes: Causes): void {
  const { nodeSelector = {} } = next;
  if (Object.entries(before.nodeSelector ?? {}).some(([key, value]) => nodeSelector[key] !== value)) {
    const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    causes.invalid('spec.nodeSelector', next.nodeSelector ?? null, why);
  }
  const old = requiredOf(before)?.nodeSelectorTerms ?? [];
  if (old.length === 0) return;
  const field = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  const terms = requiredOf(next)?.nodeSelectorTerms ?? [];
  if (terms.length !== old.length) {
    causes.invalid(field, terms, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed');
    return;
  }
  old.forEach((term, index) => {
    const isKept = (['matchExpressions', 'matchFields'] as const).every((list) =>
      (term[list] ?? []).every((one, at) => equal(one, terms[index]?.[list]?.[at])),
    );
    const why = 'only additions are allowed (no mutations or deletions)';
    if (!isKept) causes.invalid(`${field}[${index}]`, terms[index], why);
  });
}

/** Returns the affinity with the one to nodes that it had. */
function withNodes(affinity: PodSpec['affinity'], before: PodSpec['affinity']): PodSpec['affinity'] {
  const { nodeAffinity: _nodes, ...others } = affinity ?? {};
  const kept = { ...others, ...(before?.nodeAffinity && { nodeAffinity: before.nodeAffinity }) };
  return before === undefined && Object.keys(kept).length === 0 ? undefined : kept;
}

/** Returns the new spec, but with the current values of the fields that may change. */
function fixed(spec: PodSpec, before: PodSpec): PodSpec {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec;
  const { activeDeadlineSeconds, tolerations, schedulingGates } = before;
  const { nodeSelector: _selector, affinity: _affinity, ...withoutChoice } = rest;
  const affinity = withNodes(spec.affinity, before.affinity);
  const others = isGated(before)
    ? {
        ...withoutChoice,
        ...(before.nodeSelector && { nodeSelector: before.nodeSelector }),
        ...(affinity && { affinity }),
      }
    : rest;
  return {
    ...others,
    ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
    ...(tolerations !== undefined && { tolerations }),
    ...(schedulingGates !== undefined && { schedulingGates }),
    containers: withImages(spec.containers, before.containers),
    ...(spec.initContainers && { initContainers: withImages(spec.initContainers, before.initContainers) }),
  };
}

/** Returns the containers with the images that they had. */
function withImages(
  containers: readonly ObjectOf<'Container'>[] = [],
  before: readonly ObjectOf<'Container'>[] = [],
): ObjectOf<'Container'>[] {
  return containers.map((container, index) => {
    const image = before[index]?.image;
    return { ...container, ...(image !== undefined && { image }) };
  });
}
