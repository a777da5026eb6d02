// Tests which pods a quota with a selector of scopes counts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../server.js';
import { sendingTo } from '../testing/sending.js';
import { startFullServer } from './index.js';

const core = '/api/v1/namespaces/default';
const quotas = `${core}/resourcequotas`;

let server: RunningServer;
const { send, create, read } = sendingTo(() => server);
beforeAll(async () => {
  server = await startFullServer({ without: ['service-account-admission'] });
  for (const name of ['high', 'low'])
    await create('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, value: 1 });
});
afterAll(() => server.close());

const term = { topologyKey: 'a', labelSelector: { matchLabels: { a: 'b' } } };
const near = (more: object) => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [more] } },
});
const apart = (more: object) => ({
  affinity: {
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: more }] },
  },
});
const pods: Readonly<Record<string, object>> = {
  plain: {},
  high: { priorityClassName: 'high' },
  low: { priorityClassName: 'low' },
  ended: { activeDeadlineSeconds: 5 },
  near: near(term),
  elsewhere: near({ ...term, namespaces: ['other'] }),
  anywhere: apart({ ...term, namespaceSelector: {} }),
};
const priority = (operator: string, ...values: readonly string[]) => ({
  scopeName: 'PriorityClass',
  operator,
  ...(values.length > 0 && { values }),
});
const all = Object.keys(pods);
const without = (...names: readonly string[]) => all.filter((name) => !names.includes(name));

it.each([
  [[priority('Exists')], ['high', 'low']],
  [[priority('DoesNotExist')], without('high', 'low')],
  [[priority('In', 'high', 'other')], ['high']],
  [[priority('NotIn', 'high')], without('high')],
  [[priority('NotIn', 'high'), priority('Exists')], ['low']],
  [[{ scopeName: 'Terminating', operator: 'Exists' }], ['ended']],
  [[{ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }], ['elsewhere', 'anywhere']],
] as const)('%j', async (matchExpressions, counted) => {
  const spec = { hard: { pods: '0' }, scopeSelector: { matchExpressions } };
  expect((await create(quotas, { metadata: { name: 'q' }, spec })).status).toBe(200);
  await expect.poll(async () => (await read(`${quotas}/q`)).status?.used).toEqual({ pods: '0' });
  const refused: string[] = [];
  for (const [name, more] of Object.entries(pods)) {
    const pod = { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...more } };
    const { status, body } = await create(`${core}/pods?dryRun=All`, pod);
    if (status !== 200) expect(body.message).toContain('exceeded quota: q, requested: pods=1');
    if (status !== 200) refused.push(name);
  }
  expect(refused).toEqual(counted);
  await send('DELETE', `${quotas}/q`);
});

it('counts the stored pods that are in its scopes', async () => {
  for (const name of ['plain', 'high'])
    await create(`${core}/pods`, {
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'i' }], ...pods[name] },
    });
  const spec = { hard: { pods: '5' }, scopeSelector: { matchExpressions: [priority('In', 'high')] } };
  await create(quotas, { metadata: { name: 'high' }, spec });
  await create(quotas, { metadata: { name: 'any' }, spec: { hard: { pods: '5' } } });
  await expect.poll(async () => (await read(`${quotas}/high`)).status?.used).toEqual({ pods: '1' });
  await expect.poll(async () => (await read(`${quotas}/any`)).status?.used).toEqual({ pods: '2' });
});
