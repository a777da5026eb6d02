// Costs of two large objects, one stored and one sent: they must grow with the sum of the sizes, not the product.
import type { Direct } from '../direct.js';
import type { Work } from './growth.js';

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => item(index));
const amounts = (count: number, amount: string) =>
  Object.fromEntries(many(count, (index) => [`example.com/a${index}`, amount]));

/** The stored objects of a namespace, and a pod that is created there, each of half the bytes. */
interface Meeting {
  readonly plural: 'limitranges' | 'resourcequotas';
  readonly stored: (bytes: number) => readonly object[];
  readonly containers: (bytes: number) => readonly object[];
}

const limitRange = (limit: object) => ({ spec: { limits: [{ type: 'Container', ...limit }] } });
const container = (index: number, resources: object = {}) => ({ name: `c${index}`, image: 'i', resources });
const plain = (bytes: number) => many(bytes / 100, (index) => container(index));
const asking = (bytes: number) => many(bytes / 200, (index) => container(index, { limits: { cpu: '1' } }));
/** Containers with amounts: equal numbers of both. */
const square = (bytes: number) => {
  const side = Math.sqrt(bytes / 50);
  return many(side, (index) => container(index, { limits: amounts(side, '1') }));
};

const meetings: Readonly<Record<string, Meeting>> = {
  'many LimitRanges and many containers': {
    plural: 'limitranges',
    stored: (bytes) => many(bytes / 500, () => limitRange({ max: { cpu: '2' }, min: { cpu: '1m' } })),
    containers: asking,
  },
  'many bounds and many containers that say nothing': {
    plural: 'limitranges',
    stored: (bytes) => [limitRange({ max: amounts(bytes / 30, '2') })],
    containers: plain,
  },
  'many bounds and containers that keep them': {
    plural: 'limitranges',
    stored: (bytes) => [limitRange({ max: amounts(Math.sqrt(bytes / 50), '2') })],
    containers: square,
  },
  'many defaults and many containers': {
    plural: 'limitranges',
    stored: (bytes) => [limitRange({ default: amounts(bytes / 30, '2') })],
    containers: plain,
  },
  'many quotas and many containers': {
    plural: 'resourcequotas',
    stored: (bytes) => many(bytes / 1000, () => ({ spec: { hard: { pods: '1000000' } } })),
    containers: plain,
  },
  'a quota of much and many containers': {
    plural: 'resourcequotas',
    stored: (bytes) => [{ spec: { hard: amounts(bytes / 30, '1000000') } }],
    containers: square,
  },
};

/** Dry-run creates of pods, each in its own namespace. */
export function productWorks(server: Direct): Work[] {
  let namespaces = 0;
  const set = async ({ plural, stored }: Meeting, bytes: number): Promise<string> => {
    namespaces += 1;
    const namespace = `n${namespaces}`;
    await server.create('/api/v1/namespaces', { metadata: { name: namespace } });
    for (const [index, object] of stored(bytes / 2).entries()) {
      await server.create(`/api/v1/namespaces/${namespace}/${plural}`, { metadata: { name: `s${index}` }, ...object });
    }
    return namespace;
  };
  return Object.entries(meetings).map(([name, meeting]) => ({
    name: `two objects: ${name}`,
    async prepare(bytes) {
      const namespace = await set(meeting, bytes);
      const body = { metadata: { name: 'x' }, spec: { containers: meeting.containers(bytes / 2) } };
      return async () => {
        const reply = await server.call('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, {
          body,
          isLong: true,
        });
        if (reply.status >= 500) throw new Error(`${name}: ${JSON.stringify(reply.body)}`);
        return JSON.stringify(reply.body).length;
      };
    },
  }));
}
