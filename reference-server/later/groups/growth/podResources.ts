// What a whole pod requests by default: what its containers request together, and otherwise its own limits.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { addQuantities, compareQuantities, type Quantities } from '../../../schema/quantity.js';

type PodSpec = ObjectOf<'PodSpec'>;

const isPages = (name: string): boolean => name.startsWith('hugepages-');
const isOfPods = (name: string): boolean => name === 'cpu' || name === 'memory' || isPages(name);

/** Returns a spec whose pod has the requests that follow from its limits, and the limits of huge pages of its containers. */
export function withPodRequests(spec: PodSpec): PodSpec {
  const { limits = {}, requests = {} } = spec.resources ?? {};
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return spec;
  const pages = Object.entries(togetherIn(spec, 'limits')).filter(([name]) => isPages(name) && !(name in requests));
  const allLimits: Quantities = { ...Object.fromEntries(pages), ...limits };
  const ofPod = Object.entries(allLimits).filter(([name]) => isOfPods(name));
  const ofContainers = Object.entries(togetherIn(spec, 'requests')).filter(
    ([name]) => isOfPods(name) && !isPages(name),
  );
  const isLimited = ofPod.length > 0;
  const all: Quantities = isLimited
    ? { ...Object.fromEntries(ofPod), ...Object.fromEntries(ofContainers), ...requests }
    : requests;
  const resources = {
    ...spec.resources,
    ...(Object.keys(allLimits).length > 0 && { limits: allLimits }),
    ...(Object.keys(all).length > 0 && { requests: all }),
  };
  return { ...spec, resources };
}

/** What the containers of a pod ask for at most at one time. Those that start first and stay add to all that start later. */
function togetherIn({ containers = [], initContainers = [] }: PodSpec, kind: 'limits' | 'requests'): Quantities {
  const amountsOf = ({ resources }: ObjectOf<'Container'>): Quantities => resources?.[kind] ?? {};
  const stays = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  let most = sum([...containers, ...stays].map(amountsOf));
  let before: Quantities = {};
  for (const container of initContainers) {
    const now = sum([before, amountsOf(container)]);
    if (container.restartPolicy === 'Always') before = now;
    most = larger(most, now);
  }
  return most;
}

function sum(all: readonly Quantities[]): Quantities {
  const totals: Record<string, string> = {};
  for (const [name, amount] of all.flatMap((amounts) => Object.entries(amounts)))
    totals[name] = name in totals ? addQuantities([totals[name] as string, amount]) : amount;
  return totals;
}

function larger(one: Quantities, other: Quantities): Quantities {
  const all = { ...one };
  for (const [name, amount] of Object.entries(other))
    if (!(name in all) || compareQuantities(amount, all[name] as string) > 0) all[name] = amount;
  return all;
}
