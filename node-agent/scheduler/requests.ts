// What a pod takes of a node: the resources that it requests, and one place.
import type { ContainerSpec, Pod } from '../pods/types.js';
import { numberOf } from './quantity.js';

/** Amounts by the name of the resource: CPUs, bytes of memory, pods and others. */
export type Amounts = ReadonlyMap<string, number>;

/**
 * Returns the requests of a pod: the sum of its containers and sidecars, or more where an init container needs more
 * while it runs, and the overhead of the pod.
 */
export function requestsOf({ spec }: Pod): Amounts {
  const sum = new Map<string, number>();
  for (const container of spec.containers) add(sum, ownRequests(container));
  const peak = new Map<string, number>();
  const sidecars = new Map<string, number>();
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') add(sidecars, ownRequests(container));
    else raise(peak, ownRequests(container), sidecars);
  }
  add(sum, sidecars);
  raise(sum, peak);
  add(sum, amounts(spec.overhead));
  sum.set('pods', 1);
  return sum;
}

/** Returns the amounts of a list of resources. */
export const amounts = (resources: Readonly<Record<string, string>> = {}): Amounts =>
  new Map(Object.entries(resources).map(([name, quantity]) => [name, numberOf(quantity)]));

/** Adds amounts to others. */
export function add(sum: Map<string, number>, more: Amounts): void {
  for (const [name, amount] of more) sum.set(name, (sum.get(name) ?? 0) + amount);
}

/** Returns the requests of a container. A limit without a request is one. */
const ownRequests = ({ resources = {} }: ContainerSpec): Amounts =>
  amounts({ ...resources.limits, ...resources.requests });

/** Raises amounts to others with what is added to them. */
function raise(sum: Map<string, number>, wanted: Amounts, added: Amounts = new Map()): void {
  for (const [name, amount] of wanted) {
    sum.set(name, Math.max(sum.get(name) ?? 0, amount + (added.get(name) ?? 0)));
  }
}
