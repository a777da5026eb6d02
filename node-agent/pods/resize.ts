// The resources of the containers of a pod: those that the node has granted, and why it does not grant others.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { formatSeconds } from '../api/time.js';
import type { Pod } from '../api/types.js';
import { amountsOf, requestsOf } from './requests.js';

type Container = ObjectOf<'Container'>;
type Resources = NonNullable<Container['resources']>;
type Condition = ObjectOf<'PodCondition'>;

/** The conditions of a pod whose resources change. */
export const resizeConditions: readonly string[] = ['PodResizePending', 'PodResizeInProgress'];

/**
 * Returns what the status of a container says of its resources. A server that can change them says of each what that
 * means for the container; others know no such status.
 */
export function grantedStatus(
  { resizePolicy = [] }: Container,
  granted: Resources,
): Partial<ObjectOf<'ContainerStatus'>> {
  if (resizePolicy.length === 0) return {};
  const { requests, limits } = granted;
  return {
    ...(requests && { allocatedResources: requests }),
    resources: { ...(limits && { limits }), ...(requests && { requests }) },
  };
}

/** Returns the resources whose amounts differ. */
export function changedResources(one: Resources, other: Resources): readonly string[] {
  const amounts = ({ requests = {}, limits = {} }: Resources, name: string) => [requests[name], limits[name]].join();
  const names = new Set([one, other].flatMap(({ requests, limits }) => Object.keys({ ...requests, ...limits })));
  return [...names].filter((name) => amounts(one, name) !== amounts(other, name));
}

/** Reports whether a container must restart before it gets other amounts of some resources. */
export const mustRestart = ({ resizePolicy = [] }: Container, changed: readonly string[]): boolean =>
  resizePolicy.some(
    ({ resourceName = '', restartPolicy }) => restartPolicy === 'RestartContainer' && changed.includes(resourceName),
  );

/** Returns the condition of a pod that asks for more than its node ever has. */
export function infeasible(pod: Pod, node: Readonly<Record<string, string>>): Condition | undefined {
  const requests = requestsOf(pod);
  for (const [name, capacity] of amountsOf(node)) {
    const asked = requests.get(name) ?? 0;
    if (asked <= capacity) continue;
    // In thousandths of a CPU, and in bytes.
    const unit = name === 'cpu' ? 1000 : 1;
    const message = `Node didn't have enough capacity: ${name}, requested: ${asked * unit}, capacity: ${capacity * unit}`;
    const lastTransitionTime = formatSeconds(new Date());
    return { type: 'PodResizePending', status: 'True', reason: 'Infeasible', message, lastTransitionTime };
  }
  return undefined;
}
