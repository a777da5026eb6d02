// Pods: defaults that span fields, the fields that an update may change, and the grace period of a deletion.
import { typeOf } from '../../../matrix/api/modern/index.js';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { ApiObject } from '../../codecs/codec.js';
import type { Causes } from '../../schema/causes.js';

import { type DecodedObject, type KubeObject, part } from '../../schema/object.js';
import { isSettled } from '../../schema/settled.js';
import type { Strategy } from '../strategy.js';
import { validatePodSpec } from './podSpec.js';
import { validatePodUpdate } from './podUpdates.js';

/** Checks that a new pod has no ephemeral containers. */
function validateNoEphemeral(pod: KubeObject, causes: Causes): void {
  const { ephemeralContainers = [] } = part<ObjectOf<'PodSpec'>>(pod, 'spec');
  if (ephemeralContainers.length > 0) causes.forbidden('spec.ephemeralContainers', 'cannot be set on create');
}

/** What a pod says of itself while it has a scheduling gate. */
const gatedSince = ({ metadata }: DecodedObject) => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: metadata.creationTimestamp,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});

const isGated = (pod: ApiObject): boolean => (part<ObjectOf<'PodSpec'>>(pod, 'spec').schedulingGates ?? []).length > 0;

const specType = typeOf('PodSpec');

export const pods: Strategy = {
  initialStatus: (pod) => ({ phase: 'Pending', ...(isGated(pod) && { conditions: [gatedSince(pod)] }) }),
  leastStatus: {},
  deleteAnswersObject: true,

  defaults(object: DecodedObject) {
    const spec = part<ObjectOf<'PodSpec'>>(object, 'spec');
    if (isSettled(specType, spec)) return;
    const { initContainers, containers } = spec;
    object.spec = {
      ...spec,
      ...(initContainers && { initContainers: initContainers.map(requestingLimits) }),
      ...(containers && { containers: containers.map(requestingLimits) }),
    };
  },

  validate(pod, causes) {
    const spec = part<ObjectOf<'PodSpec'>>(pod, 'spec');
    if (isSettled(specType, spec)) return;
    validatePodSpec('spec', spec, causes);
    // A template may have such images.
    for (const list of ['initContainers', 'containers'] as const)
      for (const [index, { image = '' }] of (spec[list] ?? []).entries())
        if (image.trim() !== image)
          causes.invalid(`spec.${list}[${index}].image`, image, 'must not have leading or trailing whitespace');
  },

  validateCreate: validateNoEphemeral,

  prepareUpdate: withProjections,

  validateUpdate: validatePodUpdate,

  graceOf(pod: KubeObject, asked) {
    const { nodeName, terminationGracePeriodSeconds = 30 } = part<ObjectOf<'PodSpec'>>(pod, 'spec');
    const { phase } = part<ObjectOf<'PodStatus'>>(pod, 'status');
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
  const { volumes: before = [] } = part<ObjectOf<'PodSpec'>>(current, 'spec');
  const projected = new Map(
    before.flatMap((volume) => (volume.projected === undefined ? [] : [[volume.name, volume]])),
  );
  if (projected.size === 0) return next;
  const spec = part<ObjectOf<'PodSpec'>>(next, 'spec');
  // Without a source, a volume decodes as emptyDir.
  const volumes = spec.volumes?.map(
    (volume) => (volume.emptyDir !== undefined && projected.get(volume.name)) || volume,
  );
  return { ...next, spec: { ...spec, ...(volumes !== undefined && { volumes }) } };
}

/** Returns a container that requests what it limits, unless it says what it requests. */
export function requestingLimits(container: ObjectOf<'Container'>): ObjectOf<'Container'> {
  const { limits, requests } = container.resources ?? {};
  if (limits === undefined) return container;
  return { ...container, resources: { ...container.resources, requests: { ...limits, ...requests } } };
}
