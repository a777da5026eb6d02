// Costs of what a whole pod requests by default: many containers, and many amounts.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import type { Work } from '../../../testing/costs/growth.js';
import { withPodRequests } from '../../groups/growth/podResources.js';

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => item(index));
const pages = (index: number) => ({ limits: { [`hugepages-${index}`]: '1' } });

const specs: Readonly<Record<string, (bytes: number) => Partial<ObjectOf<'PodSpec'>>>> = {
  'containers that stay': (bytes) => ({
    initContainers: many(bytes / 80, (index) => ({ name: 'c', restartPolicy: 'Always', resources: pages(index) })),
  }),
  'containers that end': (bytes) => ({
    initContainers: many(bytes / 60, (index) => ({ name: 'c', resources: pages(index) })),
  }),
  'amounts beside containers': (bytes) => ({
    containers: [
      { name: 'c', resources: { limits: Object.assign({}, ...many(bytes / 40, (at) => pages(at).limits)) } },
    ],
    initContainers: many(bytes / 30, () => ({ name: 'c' })),
  }),
};

export const podRequestWorks: readonly Work[] = Object.entries(specs).map(([name, make]) => ({
  name: `requests of a pod: ${name}`,
  prepare(bytes) {
    const spec = { resources: { limits: { cpu: '1' } }, ...make(bytes) } as ObjectOf<'PodSpec'>;
    return () => Object.keys(withPodRequests(spec).resources?.limits ?? {}).length;
  },
}));
