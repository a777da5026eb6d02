// Pods: defaults that span fields, the fields that an update may change, and the grace period of a deletion.

import type { Causes } from '../../schema/causes.js';
import { type DecodedObject, equal, type KubeObject, part } from '../../schema/object.js';
import type { Strategy } from '../strategy.js';
import { type Container, type PodSpec, validatePodSpec } from './podSpec.js';

export const pods: Strategy = {
  initialStatus: () => ({ phase: 'Pending' }),
  deleteAnswersObject: true,

  defaults(object: DecodedObject) {
    const { containers = [] } = part<PodSpec>(object, 'spec');
    for (const container of containers) requestWhatIsLimited(container);
  },

  validate(pod, causes) {
    validatePodSpec('spec', part<PodSpec>(pod, 'spec'), causes);
  },

  prepareUpdate: withProjections,

  validateUpdate(next, current, causes) {
    const spec = part<PodSpec>(next, 'spec');
    const before = part<PodSpec>(current, 'spec');
    if ((spec.containers ?? []).length !== (before.containers ?? []).length) {
      causes.forbidden('spec.containers', 'pod updates may not add or remove containers');
      return;
    }
    validateDeadline(spec.activeDeadlineSeconds, before.activeDeadlineSeconds, causes);
    if (!equal(fixed(spec, before), before)) {
      causes.forbidden(
        'spec',
        'pod updates may not change fields other than `spec.containers[*].image` or `spec.activeDeadlineSeconds`',
      );
    }
  },

  graceOf(pod: KubeObject, asked) {
    const { nodeName, terminationGracePeriodSeconds = 30 } = part<PodSpec>(pod, 'spec');
    const { phase } = part<{ phase?: string }>(pod, 'status');
    // No node runs the pod, so it needs no time to stop.
    if (!nodeName || phase === 'Succeeded' || phase === 'Failed') return 0;
    const grace = asked ?? terminationGracePeriodSeconds;
    return grace < 0 ? 1 : grace;
  },
};

/**
 * The field table has no projected volumes, so a client that sends one back has lost the source. Restores the source.
 */
function withProjections(next: KubeObject, current: KubeObject): KubeObject {
  const { volumes: before = [] } = part<PodSpec>(current, 'spec');
  const projected = new Map(
    before.flatMap((volume) => (volume.projected === undefined ? [] : [[volume.name, volume]])),
  );
  if (projected.size === 0) return next;
  const spec = part<PodSpec>(next, 'spec');
  // Without a source, a volume decodes as emptyDir.
  const volumes = spec.volumes?.map(
    (volume) => (volume.emptyDir !== undefined && projected.get(volume.name)) || volume,
  );
  return { ...next, spec: { ...spec, ...(volumes !== undefined && { volumes }) } };
}

function requestWhatIsLimited(container: Container): void {
  const resources = container.resources as { limits?: object; requests?: object } | undefined;
  if (resources?.limits) resources.requests = { ...resources.limits, ...resources.requests };
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

/** Returns the new spec, but with the current values of the fields that may change. */
function fixed(spec: PodSpec, before: PodSpec): PodSpec {
  const { activeDeadlineSeconds: _deadline, ...others } = spec;
  const { activeDeadlineSeconds } = before;
  return {
    ...others,
    ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
    containers: (spec.containers ?? []).map((container, index) => {
      const image = before.containers?.[index]?.image;
      return { ...container, ...(image !== undefined && { image }) };
    }),
  };
}
