// Tests the groups of earlier servers, policy/v1beta1 and batch/v1beta1: views of the objects of v1.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { causesOf, sendingTo } from '../../testing/sending.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer({});
});
afterAll(() => server.close());

const { send, create, read } = sendingTo(() => server);

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
};
const selector = { matchLabels: { app: 'web' } };
const named = (name: string, rest: object) => ({ metadata: { name }, ...rest });

describe('a view in an earlier version', () => {
  const budgets = (version: string) => `/apis/policy/${version}/namespaces/default/poddisruptionbudgets`;
  const cronJobs = (version: string) => `/apis/batch/${version}/namespaces/default/cronjobs`;
  const key = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
  const none = { matchExpressions: [{ key, operator: 'Exists' }] };
  const all = { matchExpressions: [{ key, operator: 'DoesNotExist' }] };

  it.each([
    ['batch', 'cronjobs'],
    ['policy', 'poddisruptionbudgets'],
  ])('does not precede v1 in the group %s', async (group, plural) => {
    const { versions, preferredVersion } = await read(`/apis/${group}`);
    expect([versions.map((one: AnyShape) => one.version), preferredVersion.version]).toEqual([['v1', 'v1beta1'], 'v1']);
    const { resources } = await read(`/apis/${group}/v1beta1`);
    expect(resources.map((one: AnyShape) => one.name)).toEqual([plural, `${plural}/status`]);
  });

  it.each<[string, string, object | undefined, object | undefined]>([
    ['no selector', 'v1beta1', undefined, undefined],
    ['a selector', 'v1beta1', selector, selector],
    ['an empty selector, which selects no pods,', 'v1beta1', {}, none],
    ['a selector for all pods', 'v1beta1', all, {}],
    ['a selector with an empty list', 'v1beta1', { matchExpressions: [] }, none],
    ['an empty selector, which selects all pods,', 'v1', {}, all],
    ['a selector for no pods', 'v1', none, {}],
    ['a selector', 'v1', selector, selector],
  ])('shows %s of %s', async (_, version, given, shown) => {
    const spec = { minAvailable: 1, ...(given && { selector: given }) };
    const other = version === 'v1' ? 'v1beta1' : 'v1';
    expect((await create(budgets(version), named('b', { spec }))).status).toBe(201);
    expect((await read(`${budgets(other)}/b`)).spec.selector).toEqual(shown);
    const own = (await read(`${budgets(version)}/b`)).spec.selector;
    expect(own).toEqual(version === 'v1beta1' && shown === none ? {} : given);
    expect((await send('DELETE', `${budgets(other)}/b`)).status).toBe(200);
    expect((await send('GET', `${budgets(version)}/b`)).status).toBe(404);
  });

  it('does not mix the label of empty selectors with other terms', async () => {
    const spec = { minAvailable: 1, selector: { ...selector, ...all } };
    expect((await create(budgets('v1beta1'), named('mixed', { spec }))).status).toBe(201);
    expect((await read(`${budgets('v1')}/mixed`)).spec.selector).toMatchObject({ ...selector, matchExpressions: [] });
  });

  it('counts all pods for an empty selector of v1, and none for one of v1beta1', async () => {
    const pod = named('counted', { spec: { ...template.spec, serviceAccountName: 'default' } });
    await expect.poll(async () => (await create('/api/v1/namespaces/default/pods', pod)).status).toBe(200);
    for (const version of ['v1', 'v1beta1']) {
      const spec = { minAvailable: 1, selector: {} };
      expect((await create(budgets(version), named(`empty-${version}`, { spec }))).status).toBe(201);
    }
    const expected = async (name: string) => {
      const { status, metadata } = await read(`${budgets('v1beta1')}/${name}`);
      return status.observedGeneration === metadata.generation && status.expectedPods;
    };
    await expect.poll(() => expected('empty-v1')).toBeGreaterThan(0);
    await expect.poll(() => expected('empty-v1beta1')).toBe(0);
  });

  it('shows, patches and watches a CronJob in both versions', async () => {
    const { metadata } = await read(cronJobs('v1'));
    const jobTemplate = { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } };
    const spec = { schedule: '0 0 31 2 *', jobTemplate };
    const created = await create(cronJobs('v1beta1'), named('never', { spec }));
    expect([created.status, created.body.apiVersion]).toEqual([201, 'batch/v1beta1']);
    const shown = await read(`${cronJobs('v1')}/never`);
    expect(shown).toMatchObject({ apiVersion: 'batch/v1', spec: { ...created.body.spec, concurrencyPolicy: 'Allow' } });
    const merge = 'application/strategic-merge-patch+json';
    expect((await send('PATCH', `${cronJobs('v1beta1')}/never`, { spec: { suspend: true } }, merge)).status).toBe(200);
    expect((await read(`${cronJobs('v1')}/never`)).spec.suspend).toBe(true);
    const watch = `${cronJobs('v1beta1')}?watch=true&timeoutSeconds=1&resourceVersion=${metadata.resourceVersion}`;
    const { text } = await ask(server, watch, {});
    const events = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AnyShape);
    expect(events.slice(0, 2).map(({ type, object }) => [type, object.apiVersion, object.spec.suspend])).toEqual([
      ['ADDED', 'batch/v1beta1', false],
      ['MODIFIED', 'batch/v1beta1', true],
    ]);
    const wrong = await create(cronJobs('v1beta1'), named('wrong', { spec: { schedule: '* *', jobTemplate } }));
    expect([wrong.status, causesOf(wrong)]).toEqual([422, ['spec.schedule']]);
  });
});
