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
  const amountsOf = ({ resources }: ObjectOf<'Container'>) => Object.entries<string>(resources?.[kind] ?? {});
  const stays = ({ restartPolicy }: ObjectOf<'Container'>): boolean => restartPolicy === 'Always';
  const most = new Map<string, string>();
  for (const [name, amount] of [...containers, ...initContainers.filter(stays)].flatMap(amountsOf))
    most.set(name, withAmount(most.get(name), amount));
  const before = new Map<string, string>();
  for (const container of initContainers)
    for (const [name, amount] of amountsOf(container)) {
      const now = withAmount(before.get(name), amount);
      if (stays(container)) before.set(name, now);
      const known = most.get(name);
      if (known === undefined || compareQuantities(now, known) > 0) most.set(name, now);
    }
  return Object.fromEntries(most);
}

const withAmount = (before: string | undefined, amount: string): string =>
  before === undefined ? amount : addQuantities([before, amount]);
