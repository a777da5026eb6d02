// Pods that a kubelet refuses: somebody has bound them to a node without room for them.
import type { Pod } from '../api/types.js';
import { hostPortsOf, portsClash } from './hostPorts.js';
import { addAmounts, amountsOf, missingOf, nodeResources, requestsOf } from './requests.js';

export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/**
 * Returns why a kubelet refuses a pod beside the others of its node, in its words; undefined if it does not. A resource that
 * the node does not have at all is one of the cluster, and no matter of a kubelet.
 */
export function refusalOf(pod: Pod, others: readonly Pod[], capacity = amountsOf(nodeResources)): Refusal | undefined {
  const present = others.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed');
  const used = new Map<string, number>();
  for (const other of present) addAmounts(used, requestsOf(other));
  const requests = new Map([...requestsOf(pod)].filter(([name]) => capacity.has(name)));
  const [missing] = missingOf(requests, used, capacity);
  if (missing !== undefined) {
    // In thousandths of a CPU, and in bytes.
    const [requested, taken, all] = [requests, used, capacity].map(
      (amounts) => (amounts.get(missing) ?? 0) * (missing === 'cpu' ? 1000 : 1),
    );
    const amounts = `requested: ${requested}, used: ${taken}, capacity: ${all}`;
    return { reason: `OutOf${missing}`, message: `Node didn't have enough resource: ${missing}, ${amounts}` };
  }
  const ports = hostPortsOf(pod);
  if (ports.length === 0 || !present.some((other) => portsClash(hostPortsOf(other), ports))) return undefined;
  return { reason: 'NodePorts', message: 'Predicate NodePorts failed' };
}
