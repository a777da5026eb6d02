// Pods and the simulated node of `serve`: which pods get the node, what the events say, and which pods may be evicted.
import { beforeEach, describe, expect, it } from 'vitest';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { apps, core, templateOf, useServing, workload } from '../testing/workloads.js';

const { sent, call, eventually, eventsOf, change, podsOf } = useServing();
const node = '/api/v1/nodes/node-1';
const pod = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { ...templateOf(name).spec, ...spec } });
const scheduled = ({ status }: AnyShape) => {
  const condition = status?.conditions?.find(({ type }: AnyShape) => type === 'PodScheduled');
  return condition && [condition.status, condition.reason, condition.message];
};

describe('a pod', () => {
  it('gets the node when the node is no longer cordoned', async () => {
    await eventually(node, ({ status }) => status?.allocatable?.pods).toBe('110');
    await change(node, ({ spec }) => {
      spec.unschedulable = true;
    });
    await call('POST', `${core}/pods`, pod('patient'));
    const message = '0/1 nodes are available: 1 node(s) were unschedulable.';
    await eventually(`${core}/pods/patient`, scheduled).toEqual(['False', 'Unschedulable', message]);
    await call(
      'POST',
      `${core}/pods`,
      pod('tolerant', { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }] }),
    );
    await eventually(`${core}/pods/tolerant`, ({ status }) => status?.phase).toBe('Running');
    expect((await call('GET', `${core}/pods/patient`)).spec.nodeName).toBeUndefined();
    await change(node, ({ spec }) => {
      delete spec.unschedulable;
    });
    await eventually(`${core}/pods/patient`, ({ status }) => status?.phase).toBe('Running');
    await expect
      .poll(() => eventsOf('patient'))
      .toEqual([
        `Warning FailedScheduling ${message} (default-scheduler)`,
        'Normal Scheduled Successfully assigned default/patient to node-1 (default-scheduler)',
        'Normal Pulled Container image "nginx" already present on machine (kubelet)',
        'Normal Created Created container: a (kubelet)',
        'Normal Started Started container a (kubelet)',
      ]);
  });

  it('waits for the resources that another pod has', async () => {
    const large = {
      containers: [{ name: 'a', image: 'nginx', resources: { requests: { cpu: '5' } } }],
      terminationGracePeriodSeconds: 0,
    };
    await call('POST', `${core}/pods`, pod('first', large));
    await eventually(`${core}/pods/first`, ({ status }) => status?.phase).toBe('Running');
    await call('POST', `${core}/pods`, pod('second', large));
    const message = '0/1 nodes are available: 1 Insufficient cpu.';
    await eventually(`${core}/pods/second`, scheduled).toEqual(['False', 'Unschedulable', message]);
    await call('DELETE', `${core}/pods/first`);
    await eventually(`${core}/pods/second`, ({ status }) => status?.phase).toBe('Running');
    await eventually(`${core}/pods/second`, scheduled).toEqual(['True', undefined, undefined]);
  });

  it('may ask for ephemeral storage, as far as the node has any', async () => {
    const asking = (storage: string) => ({
      containers: [{ name: 'a', image: 'nginx', resources: { limits: { 'ephemeral-storage': storage } } }],
    });
    await call('POST', `${core}/pods`, pod('small', asking('2Gi')));
    await eventually(`${core}/pods/small`, ({ status }) => status?.phase).toBe('Running');
    await call('POST', `${core}/pods`, pod('huge', asking('1Ti')));
    const message = '0/1 nodes are available: 1 Insufficient ephemeral-storage.';
    await eventually(`${core}/pods/huge`, scheduled).toEqual(['False', 'Unschedulable', message]);
  });

  it('that somebody else binds at once stays scheduled', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `bound-${index}`);
    for (const name of names) {
      await call('POST', `${core}/pods`, pod(name, { nodeSelector: { nowhere: 'here' } }));
      const target = { apiVersion: 'v1', kind: 'Node', name: 'elsewhere' };
      expect((await call('POST', `${core}/pods/${name}/binding`, { metadata: { name }, target })).status).toBe(
        'Success',
      );
    }
    // The scheduler has looked at all of them when it has looked at the last one.
    await call('POST', `${core}/pods`, pod('last', { nodeSelector: { nowhere: 'here' } }));
    await eventually(`${core}/pods/last`, scheduled).toEqual(['False', 'Unschedulable', expect.any(String)]);
    for (const name of names)
      expect(scheduled(await call('GET', `${core}/pods/${name}`))).toEqual(['True', undefined, undefined]);
  });

  it('with a gate waits until the gate is removed', async () => {
    await call('POST', `${core}/pods`, pod('gated', { schedulingGates: [{ name: 'example.com/ready' }] }));
    await eventually(`${core}/pods/gated`, scheduled).toEqual([
      'False',
      'SchedulingGated',
      'Scheduling is blocked due to non-empty scheduling gates',
    ]);
    await change(`${core}/pods/gated`, ({ spec }) => {
      delete spec.schedulingGates;
    });
    await eventually(`${core}/pods/gated`, ({ status }) => status?.phase).toBe('Running');
  });
});

describe('the events of a node', () => {
  it('count a container that cannot start again and again', async () => {
    const env = [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'absent', key: 'a' } } }];
    await call('POST', `${core}/pods`, pod('broken', { containers: [{ name: 'a', image: 'nginx', env }] }));
    const counts = async (): Promise<AnyShape[]> => {
      const { items } = await call('GET', `${core}/events?fieldSelector=involvedObject.name%3Dbroken,reason%3DFailed`);
      return items.map(({ message, count }: AnyShape) => [message, count > 1]);
    };
    await expect.poll(counts).toEqual([['Error: configmap "absent" not found', true]]);
  });

  it('say that it is ready', async () => {
    await expect
      .poll(() => eventsOf('node-1'))
      .toEqual([
        'Normal Starting Starting kubelet. (kubelet)',
        'Normal NodeReady Node node-1 status is now: NodeReady (kubelet)',
      ]);
  });
});

describe('an eviction', () => {
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const budgetOf = (name: string, spec: object) => ({
    metadata: { name },
    spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
  });
  const evict = (name: string, more: object = {}) =>
    sent('POST', `${core}/pods/${name}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name },
      ...more,
    });
  const nameOfOne = async (): Promise<string> =>
    (await podsOf('web')).find(({ metadata, status }) => !metadata.deletionTimestamp && status.phase === 'Running')
      .metadata.name;
  const statusOf = ({ status }: AnyShape) => [
    status.disruptionsAllowed,
    status.currentHealthy,
    status.desiredHealthy,
    status.expectedPods,
    status.conditions?.[0]?.reason,
  ];

  beforeEach(async () => {
    if ((await sent('GET', `${apps}/deployments/web`)).status === 200) return;
    await call('POST', `${apps}/deployments`, workload('web', { replicas: 3 }));
    await eventually(`${apps}/deployments/web`, ({ status }) => status.availableReplicas).toBe(3);
  });

  it.each([
    ['minAvailable', { minAvailable: 2 }, [1, 3, 2, 3, 'SufficientPods']],
    ['a share that is available', { minAvailable: '50%' }, [1, 3, 2, 3, 'SufficientPods']],
    ['maxUnavailable', { maxUnavailable: 0 }, [0, 3, 3, 3, 'InsufficientPods']],
    ['a share that is unavailable', { maxUnavailable: '50%' }, [2, 3, 1, 3, 'SufficientPods']],
    ['no pods', { minAvailable: 1, selector: { matchLabels: { app: 'none' } } }, [0, 0, 1, 0, 'InsufficientPods']],
  ])('counts against a budget of %s', async (_, spec, expected) => {
    await eventually(`${apps}/deployments/web`, ({ status }) => status.availableReplicas).toBe(3);
    await call('POST', budgets, budgetOf('counted', spec));
    await eventually(`${budgets}/counted`, statusOf).toEqual(expected);
    await call('DELETE', `${budgets}/counted`);
  });

  it('is refused when the budget is spent, and possible again when the pods are back', async () => {
    await call('POST', budgets, budgetOf('web', { minAvailable: 2 }));
    await eventually(`${budgets}/web`, ({ status }) => status.disruptionsAllowed).toBe(1);
    const name = await nameOfOne();
    expect((await evict(name, { deleteOptions: { dryRun: ['All'] } })).status).toBe(200);
    expect((await call('GET', `${budgets}/web`)).status.disruptionsAllowed).toBe(1);
    await change(`${budgets}/web`, ({ spec }) => {
      spec.minAvailable = 3;
    });
    await eventually(`${budgets}/web`, ({ status }) => status.disruptionsAllowed).toBe(0);
    const refused = await evict(name);
    expect([refused.status, refused.json.reason, refused.json.message, refused.json.details.causes]).toEqual([
      429,
      'TooManyRequests',
      "Cannot evict pod as it would violate the pod's disruption budget.",
      [
        {
          reason: 'DisruptionBudget',
          message: 'The disruption budget web needs 3 healthy pods and has 3 currently',
        },
      ],
    ]);
    await change(`${budgets}/web`, ({ spec }) => {
      spec.minAvailable = 2;
    });
    await eventually(`${budgets}/web`, ({ status }) => status.disruptionsAllowed).toBe(1);
    expect((await evict(name)).status).toBe(200);
    await eventually(`${core}/pods/${name}`, ({ code }) => code).toBe(404);
    await eventually(`${budgets}/web`, ({ status }) => [status.disruptionsAllowed, status.disruptedPods]).toEqual([
      1,
      undefined,
    ]);
  });

  it('is refused for a pod with two budgets', async () => {
    await call('POST', budgets, budgetOf('another', { minAvailable: 0 }));
    const refused = await evict(await nameOfOne());
    expect([refused.status, refused.json.message]).toEqual([
      500,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    ]);
  });
});
