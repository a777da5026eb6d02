// Tests what the taints of nodes do: which pods are deleted, and when, and which nodes have the pods of a DaemonSet.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlledServer, startControlled } from '../testing/controlled.js';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const merge = 'application/merge-patch+json';

let server: ControlledServer;
beforeAll(async () => {
  server = await startControlled();
});
afterAll(() => server.server.close());

const send: ControlledServer['send'] = (...request) => server.send(...request);
const create = async (path: string, body: object) => {
  const { status, body: created } = await send('POST', path, body);
  expect([status, created.message]).toEqual([expect.toSatisfy((code) => code < 300), undefined]);
};
const gpu = (effect: string, more: object = {}) => ({ key: 'gpu', value: 'yes', effect, ...more });
const taint = (node: string, ...taints: readonly object[]) =>
  send('PATCH', `/api/v1/nodes/${node}`, { spec: { taints } }, merge);
const makeNode = (name: string, labels: object = {}, ...taints: readonly object[]) =>
  create('/api/v1/nodes', { metadata: { name, labels }, spec: { taints } });
const containers = [{ name: 'c', image: 'i' }];

describe('a taint with NoExecute', () => {
  const tolerating = (tolerationSeconds?: number) => [
    {
      key: 'gpu',
      operator: 'Exists',
      effect: 'NoExecute',
      ...(tolerationSeconds !== undefined && { tolerationSeconds }),
    },
  ];
  const makePod = (node: string, name: string, ...tolerations: readonly object[]) =>
    create(`${core}/pods`, {
      metadata: { name: `${node}-${name}` },
      spec: { nodeName: node, containers, tolerations, terminationGracePeriodSeconds: 0 },
    });
  const podsOn = async (node: string): Promise<readonly string[]> =>
    (await send('GET', `${core}/pods?fieldSelector=spec.nodeName%3D${node}`)).body.items.map(
      ({ metadata }: { metadata: { name: string } }) => metadata.name.slice(node.length + 1),
    );
  const eventsOf = async (name: string): Promise<readonly string[]> =>
    (await send('GET', `${core}/events?fieldSelector=involvedObject.name%3D${name}`)).body.items.map(
      ({ type, reason, message, source }: Readonly<Record<string, never>> & { source: { component: string } }) =>
        `${type} ${reason} ${message} (${source.component})`,
    );

  it('deletes the pods that do not tolerate it, and others when their time is over', async () => {
    await makeNode('executed');
    await makePod('executed', 'none');
    await makePod('executed', 'other-value', { key: 'gpu', value: 'no', effect: 'NoExecute' });
    await makePod('executed', 'other-effect', { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' });
    await makePod('executed', 'for-ever', ...tolerating());
    await makePod('executed', 'all', { operator: 'Exists' });
    await makePod('executed', 'long', ...tolerating(7200));
    await makePod('executed', 'short', ...tolerating(600));
    await makePod('executed', 'not-at-all', ...tolerating(0));
    await makeNode('untainted');
    await makePod('untainted', 'none');
    await taint('executed', gpu('NoExecute'));
    const patient = ['all', 'for-ever', 'long', 'short'];
    await expect.poll(() => podsOn('executed')).toEqual(patient);
    await server.controls.clock.advance(300_000);
    expect(await podsOn('executed')).toEqual(patient);
    await server.controls.clock.advance(400_000);
    await expect.poll(() => podsOn('executed')).toEqual(['all', 'for-ever', 'long']);
    expect(await eventsOf('executed-short')).toEqual([
      'Normal TaintManagerEviction Marking for deletion Pod default/executed-short (taint-eviction-controller)',
    ]);
    await server.controls.clock.advance(7_200_000);
    await expect.poll(() => podsOn('executed')).toEqual(['all', 'for-ever']);
    expect(await podsOn('untainted')).toEqual(['none']);
  });

  it('deletes no pod once it is removed', async () => {
    await makeNode('cancelled');
    await makePod('cancelled', 'short', ...tolerating(600));
    await taint('cancelled', gpu('NoExecute'));
    await makePod('cancelled', 'sign');
    await expect.poll(() => podsOn('cancelled')).toEqual(['short']);
    await server.controls.clock.advance(300_000);
    await taint('cancelled');
    await expect
      .poll(() => eventsOf('cancelled-short'))
      .toEqual([
        'Normal TaintManagerEviction Cancelling deletion of Pod default/cancelled-short (taint-eviction-controller)',
      ]);
    await server.controls.clock.advance(600_000);
    expect(await podsOn('cancelled')).toEqual(['short']);
  });

  it('deletes a pod after the shortest of the times for several taints', async () => {
    await makeNode('several');
    const disk = { key: 'disk', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 600 };
    await makePod('several', 'both', ...tolerating(7200), disk);
    await makePod('several', 'one', ...tolerating(7200));
    await taint('several', gpu('NoExecute'), { key: 'disk', effect: 'NoExecute' });
    await expect.poll(() => podsOn('several')).toEqual(['both']);
    await server.controls.clock.advance(700_000);
    await expect.poll(() => podsOn('several')).toEqual([]);
  });

  it('says in the pod why it is deleted', async () => {
    await makeNode('told', {}, gpu('NoExecute'));
    const metadata = { name: 'told-pod', finalizers: ['example.com/stay'] };
    await create(`${core}/pods`, { metadata, spec: { nodeName: 'told', containers } });
    const pod = async () => (await send('GET', `${core}/pods/told-pod`)).body;
    await expect.poll(async () => (await pod()).metadata.deletionTimestamp).toBeDefined();
    expect((await pod()).status.conditions).toContainEqual({
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
      lastTransitionTime: expect.any(String),
    });
    await send('PATCH', `${core}/pods/told-pod`, { metadata: { finalizers: null } }, merge);
  });
});

describe('a DaemonSet', () => {
  /** The nodes that have its pods, and its counts: wanted, there, misplaced. */
  const stateOf = async (app: string) => {
    const { body } = await send('GET', `${core}/pods?labelSelector=app%3D${app}`);
    const { status = {} } = (await send('GET', `${apps}/daemonsets/${app}`)).body;
    const nodes = body.items.map(({ spec }: { spec: { nodeName: string } }) => spec.nodeName).sort();
    return [nodes, [status.desiredNumberScheduled, status.currentNumberScheduled, status.numberMisscheduled]];
  };
  const make = (app: string, spec: object) =>
    create(`${apps}/daemonsets`, {
      metadata: { name: app },
      spec: {
        selector: { matchLabels: { app } },
        template: {
          metadata: { labels: { app } },
          spec: { containers, terminationGracePeriodSeconds: 0, nodeSelector: { of: 'daemons' }, ...spec },
        },
      },
    });

  beforeAll(async () => {
    await makeNode('free', { of: 'daemons', cores: '8' });
    await makeNode('preferring', { of: 'daemons', cores: '4' }, gpu('PreferNoSchedule'));
    await makeNode('refusing', { of: 'daemons', cores: '16' }, gpu('NoSchedule'));
    await makeNode('cordoned', { of: 'daemons' }, { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' });
  });

  it('has no pods on nodes with taints that they do not tolerate', async () => {
    await make('intolerant', {});
    await expect
      .poll(() => stateOf('intolerant'))
      .toEqual([
        ['cordoned', 'free', 'preferring'],
        [3, 3, 0],
      ]);
    await make('tolerant', { tolerations: [{ key: 'gpu', operator: 'Exists' }] });
    await expect
      .poll(() => stateOf('tolerant'))
      .toEqual([
        ['cordoned', 'free', 'preferring', 'refusing'],
        [4, 4, 0],
      ]);
  });

  it('leaves a pod on a node with a new taint, unless the taint ends running pods', async () => {
    await taint('preferring', gpu('NoSchedule'));
    await expect
      .poll(() => stateOf('intolerant'))
      .toEqual([
        ['cordoned', 'free', 'preferring'],
        [2, 2, 1],
      ]);
    await taint('preferring', gpu('NoExecute'));
    await expect
      .poll(() => stateOf('intolerant'))
      .toEqual([
        ['cordoned', 'free'],
        [2, 2, 0],
      ]);
    expect(await stateOf('tolerant')).toEqual([
      ['cordoned', 'free', 'preferring', 'refusing'],
      [4, 4, 0],
    ]);
    await taint('preferring', gpu('PreferNoSchedule'));
    await expect
      .poll(() => stateOf('intolerant'))
      .toEqual([
        ['cordoned', 'free', 'preferring'],
        [3, 3, 0],
      ]);
  });

  const affine = (...nodeSelectorTerms: readonly object[]) => ({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  });
  it.each([
    ['in', affine({ matchExpressions: [{ key: 'cores', operator: 'In', values: ['8'] }] }), ['free']],
    [
      'not-in',
      affine({ matchExpressions: [{ key: 'cores', operator: 'NotIn', values: ['8'] }] }),
      ['cordoned', 'preferring'],
    ],
    ['gt', affine({ matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['4'] }] }), ['free']],
    ['lt', affine({ matchExpressions: [{ key: 'cores', operator: 'Lt', values: ['5'] }] }), ['preferring']],
    ['name', affine({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['cordoned'] }] }), ['cordoned']],
    [
      'either',
      affine(
        { matchExpressions: [{ key: 'cores', operator: 'DoesNotExist' }] },
        {
          matchExpressions: [
            { key: 'cores', operator: 'Exists' },
            { key: 'cores', operator: 'Gt', values: ['7'] },
          ],
        },
      ),
      ['cordoned', 'free'],
    ],
  ])('has pods only where its node affinity allows them: %s', async (app, spec, nodes) => {
    await make(app, spec);
    await expect.poll(() => stateOf(app)).toEqual([nodes, [nodes.length, nodes.length, 0]]);
  });

  it('tolerates for ever that a node fails, whatever its template says', async () => {
    const key = 'node.kubernetes.io/not-ready';
    const own = { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
    await make('lasting', {
      tolerations: [own, { operator: 'Exists', effect: 'PreferNoSchedule' }],
      hostNetwork: true,
    });
    const tolerations = async () =>
      (await send('GET', `${core}/pods?labelSelector=app%3Dlasting`)).body.items[0]?.spec.tolerations;
    await expect.poll(tolerations).toContainEqual({ key, operator: 'Exists', effect: 'NoExecute' });
    expect(await tolerations()).not.toContainEqual(own);
    expect(await tolerations()).toContainEqual({ operator: 'Exists', effect: 'PreferNoSchedule' });
    const unavailable = 'node.kubernetes.io/network-unavailable';
    expect(await tolerations()).toContainEqual({ key: unavailable, operator: 'Exists', effect: 'NoSchedule' });
  });
});
