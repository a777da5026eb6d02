// Workloads on the simulated node of `serve`: what users of kubectl see of deployments, jobs and the others.
import { describe, expect, it } from 'vitest';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { apps, core, templateOf, useServing, workload } from '../testing/workloads.js';

const { sent, call, eventually, eventsOf, change, podsOf } = useServing();
const batch = '/apis/batch/v1/namespaces/default';
const conditionOf = (object: AnyShape, type: string): string | undefined =>
  object.status?.conditions?.find((each: AnyShape) => each.type === type)?.reason;

describe('a deployment', () => {
  it('is available, rolls out a new image pod by pod, and is scaled', async () => {
    const path = `${apps}/deployments/web`;
    await call('POST', `${apps}/deployments`, workload('web', { replicas: 3 }));
    await eventually(path, ({ status }) => status.availableReplicas).toBe(3);
    await eventually(path, (object) => conditionOf(object, 'Progressing')).toBe('NewReplicaSetAvailable');
    await change(path, ({ spec }) => {
      spec.template.spec.containers[0].image = 'nginx:2';
    });
    await eventually(path, ({ status, metadata }) => [
      status.observedGeneration === metadata.generation,
      status.updatedReplicas,
      status.replicas,
      status.availableReplicas,
    ]).toEqual([true, 3, 3, 3]);
    const images = (await podsOf('web'))
      .filter(({ metadata }) => !metadata.deletionTimestamp)
      .map(({ spec }) => spec.containers[0].image);
    expect(images).toEqual(['nginx:2', 'nginx:2', 'nginx:2']);
    await change(`${path}/scale`, ({ spec }) => {
      spec.replicas = 1;
    });
    await eventually(path, ({ status }) => status.replicas).toBe(1);
    await call('DELETE', path);
    await expect.poll(async () => (await podsOf('web')).length, { interval: 100 }).toBe(0);
  });

  it('that cannot start says so after its deadline', async () => {
    const broken = workload('broken', { progressDeadlineSeconds: 1 });
    Object.assign(broken.spec.template.spec, { nodeSelector: { is: 'nowhere' } });
    await call('POST', `${apps}/deployments`, broken);
    await eventually(`${apps}/deployments/broken`, (object) => conditionOf(object, 'Progressing')).toBe(
      'ProgressDeadlineExceeded',
    );
    expect(conditionOf(await call('GET', `${apps}/deployments/broken`), 'Available')).toBe(
      'MinimumReplicasUnavailable',
    );
    await call('DELETE', `${apps}/deployments/broken`);
  });
});

it('conditions of others stay in the status of a ReplicaSet', async () => {
  await call('POST', `${apps}/replicasets`, {
    metadata: { name: 'noted' },
    spec: { replicas: 1, selector: { matchLabels: { app: 'noted' } }, template: templateOf('noted') },
  });
  const path = `${apps}/replicasets/noted`;
  await eventually(path, ({ status }) => status.readyReplicas).toBe(1);
  await expect
    .poll(async () => {
      const object = await call('GET', path);
      object.status.conditions = [{ type: 'example.com/Seen', status: 'True' }];
      return (await sent('PUT', `${path}/status`, object)).status;
    })
    .toBe(200);
  await change(path, ({ spec }) => {
    spec.replicas = 2;
  });
  await eventually(path, ({ status }) => status.readyReplicas).toBe(2);
  expect((await call('GET', path)).status.conditions).toEqual([
    expect.objectContaining({ type: 'example.com/Seen', status: 'True' }),
  ]);
});

describe('the events', () => {
  it('of a deployment and its ReplicaSet say what was done', async () => {
    await call('POST', `${apps}/deployments`, workload('told', { replicas: 2 }));
    await eventually(`${apps}/deployments/told`, ({ status }) => status.availableReplicas).toBe(2);
    await change(`${apps}/deployments/told`, ({ spec }) => {
      spec.replicas = 1;
    });
    await eventually(`${apps}/deployments/told`, ({ status }) => status.replicas).toBe(1);
    const [{ metadata }] = (await call('GET', `${apps}/replicasets?labelSelector=app%3Dtold`)).items;
    await expect
      .poll(() => eventsOf('told'))
      .toEqual([
        `Normal ScalingReplicaSet Scaled up replica set ${metadata.name} from 0 to 2 (deployment-controller)`,
        `Normal ScalingReplicaSet Scaled down replica set ${metadata.name} from 2 to 1 (deployment-controller)`,
      ]);
    const pod = `${metadata.name}-[a-z0-9]{5}`;
    await expect
      .poll(() => eventsOf(metadata.name))
      .toEqual([
        expect.stringMatching(`^Normal SuccessfulCreate Created pod: ${pod} \\(replicaset-controller\\)$`),
        expect.stringMatching(`^Normal SuccessfulCreate Created pod: ${pod} \\(replicaset-controller\\)$`),
        expect.stringMatching(`^Normal SuccessfulDelete Deleted pod: ${pod} \\(replicaset-controller\\)$`),
      ]);
  });

  it('of a job end with its end', async () => {
    const spec = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'busybox', command: ['true'] }] };
    await call('POST', '/apis/batch/v1/namespaces/default/jobs', {
      metadata: { name: 'brief' },
      spec: { template: { spec } },
    });
    await expect
      .poll(() => eventsOf('brief'))
      .toEqual([
        expect.stringMatching(/^Normal SuccessfulCreate Created pod: brief-[a-z0-9]{5} \(job-controller\)$/),
        'Normal Completed Job completed (job-controller)',
      ]);
  });

  it('of a ReplicaSet say why it has no pods', async () => {
    const container = { name: 'a', image: 'nginx' };
    await call('POST', `${apps}/replicasets`, {
      ...workload('refused'),
      metadata: { name: 'refused' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'refused' } },
        template: {
          metadata: { labels: { app: 'refused' } },
          spec: { serviceAccountName: 'nobody', containers: [container] },
        },
      },
    });
    await expect
      .poll(() => eventsOf('refused'))
      .toEqual([expect.stringMatching(/^Warning FailedCreate Error creating: .*nobody/)]);
  });
});

describe('a stateful set', () => {
  it('starts its pods in order with claims of their own, and keeps their names in an update', async () => {
    const path = `${apps}/statefulsets/db`;
    const volumeClaimTemplates = [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ];
    await call(
      'POST',
      `${apps}/statefulsets`,
      workload('db', { replicas: 2, serviceName: 'db', volumeClaimTemplates }),
    );
    await eventually(path, ({ status }) => status?.readyReplicas).toBe(2);
    const before = await podsOf('db');
    expect(before.map(({ metadata }) => metadata.name)).toEqual(['db-0', 'db-1']);
    expect(before[0]?.spec.volumes[0].persistentVolumeClaim.claimName).toBe('data-db-0');
    expect((await call('GET', `${core}/persistentvolumeclaims/data-db-1`)).spec.accessModes).toEqual(['ReadWriteOnce']);
    await change(path, ({ spec }) => {
      spec.template.spec.containers[0].image = 'nginx:2';
    });
    await eventually(path, ({ status, metadata }) => [
      status.observedGeneration === metadata.generation,
      status.updatedReplicas,
      status.readyReplicas,
      status.currentRevision === status.updateRevision,
    ]).toEqual([true, 2, 2, true]);
    expect((await podsOf('db')).map(({ metadata, spec }) => [metadata.name, spec.containers[0].image])).toEqual([
      ['db-0', 'nginx:2'],
      ['db-1', 'nginx:2'],
    ]);
  });
});

describe('a daemon set', () => {
  it('has a ready pod on each node', async () => {
    await call('POST', `${apps}/daemonsets`, workload('agent'));
    await eventually(`${apps}/daemonsets/agent`, ({ status }) => [
      status.desiredNumberScheduled,
      status.numberReady,
    ]).toEqual([1, 1]);
    expect((await podsOf('agent')).map(({ spec }) => spec.nodeName)).toEqual(['node-1']);
  });
});

describe('a job', () => {
  const jobOf = (name: string, command: string[], more: object = {}) => {
    const { metadata, spec } = templateOf(name, 'busybox', command);
    return { metadata: { name }, spec: { template: { metadata, spec: { ...spec, restartPolicy: 'Never' } }, ...more } };
  };

  it('is complete after so many successes', async () => {
    await call('POST', `${batch}/jobs`, jobOf('three', ['true'], { completions: 3, parallelism: 2 }));
    await eventually(`${batch}/jobs/three`, ({ status }) => [
      status?.succeeded,
      status?.conditions?.map(({ type }: AnyShape) => type),
    ]).toEqual([3, ['SuccessCriteriaMet', 'Complete']]);
  });

  /** What the pods of a Job say about themselves: their names without the random part, host names, ends and logs. */
  const tellingsOf = async (name: string): Promise<string[]> => {
    const tellings = (await podsOf(name)).map(async ({ metadata, spec, status }: AnyShape) => {
      const { text } = await sent('GET', `${core}/pods/${metadata.name}/log`);
      return [metadata.name.replace(/-[^-]*$/, ''), spec.hostname, status.phase, text.trim()].join(' ');
    });
    return (await Promise.all(tellings)).sort();
  };
  const telling = (script = '') => ['sh', '-c', `echo $JOB_COMPLETION_INDEX; ${script}`];
  const indexed = { completionMode: 'Indexed', completions: 4 };

  it('with indexes has a pod for each index, which knows its index', async () => {
    await call('POST', `${batch}/jobs`, jobOf('indexed', telling(), { ...indexed, parallelism: 4 }));
    await eventually(`${batch}/jobs/indexed`, ({ status }) => status?.completionTime).toBeDefined();
    const { succeeded, completedIndexes } = (await call('GET', `${batch}/jobs/indexed`)).status;
    expect([succeeded, completedIndexes]).toEqual([4, '0-3']);
    expect(await tellingsOf('indexed')).toEqual([0, 1, 2, 3].map((i) => `indexed-${i} indexed-${i} Succeeded ${i}`));
  });

  it('with indexes runs an index again that failed', async () => {
    const command = telling('test $JOB_COMPLETION_INDEX != 2');
    await call('POST', `${batch}/jobs`, jobOf('again', command, { ...indexed, parallelism: 1, backoffLimit: 1 }));
    await eventually(`${batch}/jobs/again`, (object) => conditionOf(object, 'Failed')).toBe('BackoffLimitExceeded');
    const { succeeded, failed, completedIndexes } = (await call('GET', `${batch}/jobs/again`)).status;
    expect([succeeded, failed, completedIndexes]).toEqual([2, 2, '0,1']);
    expect(await tellingsOf('again')).toEqual([
      'again-0 again-0 Succeeded 0',
      'again-1 again-1 Succeeded 1',
      'again-2 again-2 Failed 2',
      'again-2 again-2 Failed 2',
    ]);
  });

  it('has failed after too many failures', async () => {
    await call('POST', `${batch}/jobs`, jobOf('failing', ['false'], { backoffLimit: 1 }));
    await eventually(`${batch}/jobs/failing`, (object) => conditionOf(object, 'Failed')).toBe('BackoffLimitExceeded');
    expect((await call('GET', `${batch}/jobs/failing`)).status.failed).toBe(2);
  });

  it('has failed after its deadline, and is removed after its time', async () => {
    const limits = { activeDeadlineSeconds: 1, ttlSecondsAfterFinished: 1 };
    await call('POST', `${batch}/jobs`, jobOf('late', ['sleep', '600'], limits));
    await eventually(`${batch}/jobs/late`, ({ code }) => code).toBe(404);
  });
});

describe('a service', () => {
  it('has the addresses of its ready pods, in endpoints and in a slice', async () => {
    const ports = [{ name: 'web', port: 8080, targetPort: 'http' }];
    await call('POST', `${core}/services`, {
      metadata: { name: 'front' },
      spec: { selector: { app: 'front' }, ports },
    });
    await call('POST', `${apps}/deployments`, workload('front', { replicas: 2 }));
    await eventually(`${core}/endpoints/front`, ({ subsets }) => subsets?.[0]?.addresses?.length).toBe(2);
    expect((await call('GET', `${core}/endpoints/front`)).subsets[0].ports).toEqual([
      { name: 'web', port: 80, protocol: 'TCP' },
    ]);
    const slices =
      '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io/service-name=front';
    await eventually(slices, ({ items }) =>
      items[0]?.endpoints?.map(({ conditions }: AnyShape) => conditions.ready),
    ).toEqual([true, true]);
    await call('DELETE', `${core}/services/front`);
    await eventually(`${core}/endpoints/front`, ({ code }) => code).toBe(404);
    await eventually(slices, ({ items }) => items.length).toBe(0);
  });
});
