// Pods of present servers: what their admission and their storage fill in.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { type DecodedObject, part } from '../../../schema/object.js';
import { withDefaultTolerations } from '../../admission/tolerations.js';
import { withBoth } from './firstOfAll.js';
import type { Grow } from './grow.js';
import { withLabelKeys } from './labelKeys.js';
import { requireSameAnnotations, shareProfiles, validateDeletionCost } from './podAnnotations.js';
import { podParts } from './podParts.js';
import { withPodRequests } from './podResources.js';
import { validatePodStatus, withKeptStatus } from './podStatus.js';
import { qosClassOf } from './qosClass.js';

type PodSpec = ObjectOf<'PodSpec'>;
type Status = ObjectOf<'PodStatus'>;

/** Since this version, a time to end that is below 0 is one second. */
const pastIsOneSince = 22;
/** Since this version, a whole pod may request and be limited. */
const podResourcesSince = 34;

const specOf = (pod: DecodedObject): PodSpec => part<PodSpec>(pod, 'spec');

export const grownPods: Grow = (strategy, { minor, lacks }) => ({
  ...strategy,
  specParts: podParts,
  ...(minor >= 33 && { generation: true }),
  complete(object, view) {
    const completed = strategy.complete?.(object, view) ?? object;
    const spec = specOf(completed);
    const isLinked = minor >= 13 && spec.enableServiceLinks === undefined;
    const isPast = minor >= pastIsOneSince && (spec.terminationGracePeriodSeconds ?? 0) < 0;
    const more = { ...(isLinked && { enableServiceLinks: true }), ...(isPast && { terminationGracePeriodSeconds: 1 }) };
    const withLinks = isLinked || isPast ? { ...completed, spec: { ...spec, ...more } } : completed;
    return minor < 16 ? withLinks : withAddresses(withLinks);
  },
  defaults(pod) {
    strategy.defaults?.(pod);
    const spec = specOf(pod);
    if (minor >= podResourcesSince && spec.resources !== undefined) pod.spec = withPodRequests(spec);
  },
  initialStatus(pod) {
    const status = typeof strategy.initialStatus === 'function' ? strategy.initialStatus(pod) : {};
    return minor < 6 ? status : { ...status, qosClass: qosClassOf(specOf(pod)) };
  },
  prepareCreate(pod) {
    pod.spec = withLabelKeys(specOf(pod), pod.metadata.labels ?? {}, minor);
    shareProfiles(pod, minor);
  },
  validate(pod, causes, view) {
    strategy.validate?.(pod, causes, view);
    validateDeletionCost(pod, minor, causes);
  },
  validateUpdate(next, current, causes, view) {
    strategy.validateUpdate?.(next, current, causes, view);
    requireSameAnnotations(next, current, causes);
  },
  validateStatus(next, current, causes, part) {
    strategy.validateStatus?.(next, current, causes, part);
    validatePodStatus(next, current, causes, minor);
  },
  prepareStatus(next, current, updated, now) {
    return withKeptStatus(strategy.prepareStatus?.(next, current, updated, now) ?? next, current, minor);
  },
  prepareUpdate(next, current) {
    const prepared = strategy.prepareUpdate?.(next, current) ?? next;
    const [spec, before] = [specOf(prepared), specOf(current)];
    if (spec === before) return prepared;
    // Admission sees updates too: a client that knows no such fields may leave them out.
    return {
      ...prepared,
      spec: {
        ...(minor >= 11 && before.priority !== undefined && { priority: before.priority }),
        ...(minor >= 19 && before.preemptionPolicy !== undefined && { preemptionPolicy: before.preemptionPolicy }),
        ...spec,
        ...(minor >= 6 && !lacks('default-tolerations') && { tolerations: withDefaultTolerations(spec.tolerations) }),
      },
    };
  },
});

const addresses = {
  ...{ one: 'podIP', all: 'podIPs' },
  itemOf: (ip: string) => ({ ip }),
  valueIn: ({ ip }: { readonly ip?: string }) => ip,
};

function withAddresses(pod: DecodedObject): DecodedObject {
  const before = part<Status>(pod, 'status');
  const status = withBoth(before, addresses);
  return status === before ? pod : { ...pod, status };
}
