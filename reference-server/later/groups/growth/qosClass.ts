// The quality of service of a pod: how its requests and limits compare.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { compareQuantities } from '../../../schema/quantity.js';

type QosClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

const counted = ['cpu', 'memory'];

/** Returns the class of a pod: it is guaranteed what it asks for if each container is limited to just that. */
export function qosClassOf({ containers = [], initContainers = [], resources }: ObjectOf<'PodSpec'>): QosClass {
  const all =
    resources === undefined ? [...containers, ...initContainers].map((each) => each.resources ?? {}) : [resources];
  const amount = (amounts: Readonly<Record<string, string>> = {}, name: string): string | undefined => {
    const value = amounts[name];
    return value !== undefined && compareQuantities(value, '0') > 0 ? value : undefined;
  };
  const pairs = all.flatMap(({ requests, limits }) =>
    counted.map((name) => ({ request: amount(requests, name), limit: amount(limits, name) })),
  );
  if (pairs.every(({ request, limit }) => request === undefined && limit === undefined)) return 'BestEffort';
  const isGuaranteed = pairs.every(
    ({ request, limit }) => limit !== undefined && (request === undefined || compareQuantities(request, limit) === 0),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}
