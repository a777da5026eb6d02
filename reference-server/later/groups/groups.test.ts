// The groups that came after the interface: views of the same objects, and kinds of their own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { causesOf, sendingTo } from '../../testing/sending.js';
import { ask } from '../../testing/standIn.js';
import { watched } from '../../testing/watched.js';
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
const apps = '/apis/apps/v1/namespaces/default';
const extensions = '/apis/extensions/v1beta1/namespaces/default';
const networking = '/apis/networking.k8s.io/v1/namespaces/default';
const autoscalers = (version: string) => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const named = (name: string, rest: object) => ({ metadata: { name }, ...rest });

describe('a pod that is deleted at once', () => {
  it.each([
    ['without a node', {}, ''],
    ['of a node, without grace', { nodeName: 'node-1' }, '?gracePeriodSeconds=0'],
    ['that needs no time', { nodeName: 'node-1', terminationGracePeriodSeconds: 0 }, ''],
  ])('%s is marked before it goes', async (_which, more, query) => {
    const pods = '/api/v1/namespaces/default/pods';
    const { metadata } = (await create(pods, named('gone', { spec: { ...template.spec, ...more } }))).body;
    let answer: AnyShape = {};
    const events = await watched(
      server,
      `${pods}?watch=1&resourceVersion=${metadata.resourceVersion}`,
      async (seen) => {
        answer = (await send('DELETE', `${pods}/gone${query}`)).body;
        await seen(2);
      },
    );
    const versions = events.map(({ object }) => object.metadata.resourceVersion);
    expect(events.map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
    for (const { object } of events) expect(object.metadata.deletionGracePeriodSeconds).toBe(0);
    expect([answer.metadata.resourceVersion, new Set(versions).size]).toEqual([versions[0], 2]);
  });
});

describe('a view of a later group', () => {
  it('shows a Deployment in both groups, with the defaults of the group that created it', async () => {
    expect((await create(`${apps}/deployments`, named('later', { spec: { selector, template } }))).status).toBe(201);
    expect((await create(`${extensions}/deployments`, named('earlier', { spec: { template } }))).status).toBe(200);
    expect((await read(`${extensions}/deployments/later`)).spec.strategy.rollingUpdate).toEqual({
      maxUnavailable: '25%',
      maxSurge: '25%',
    });
    const { apiVersion, metadata, spec } = await read(`${apps}/deployments/earlier`);
    expect([apiVersion, metadata.name]).toEqual(['apps/v1', 'earlier']);
    expect(spec.selector).toEqual(selector);
    expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 1, maxSurge: 1 });
    const { items } = await read(`${apps}/deployments`);
    expect(items.map((item: AnyShape) => item.metadata.name)).toEqual(['earlier', 'later']);
  });

  it.each([
    ['apps/v1', 'namespaces/default/deployments/later'],
    ['apps/v1', 'deployments'],
    ['rbac.authorization.k8s.io/v1', 'clusterroles'],
    ['rbac.authorization.k8s.io/v1', 'clusterroles/admin'],
    ['apiextensions.k8s.io/v1', 'customresourcedefinitions'],
  ])('is watched below %s/watch, at %s', async (version, path) => {
    expect((await ask(server, `/apis/${version}/watch/${path}?timeoutSeconds=1`)).status).toBe(200);
    expect((await send('POST', `/apis/${version}/watch/${path}`, {})).status).toBe(405);
  });

  it('sees the writes of the other group in a watch', async () => {
    const { metadata } = await read(`${apps}/replicasets`);
    await create(`${extensions}/replicasets`, named('watched', { spec: { replicas: 0, template } }));
    const { text } = await ask(
      server,
      `${apps}/replicasets?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dwatched&resourceVersion=${metadata.resourceVersion}`,
      {},
    );
    const [event] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AnyShape);
    expect([event?.type, event?.object.apiVersion, event?.object.metadata.name]).toEqual([
      'ADDED',
      'apps/v1',
      'watched',
    ]);
  });

  it('deletes dependents by default, where the earlier group orphans them', async () => {
    const dependent = async (name: string, group: string) => {
      const spec = { replicas: 0, template };
      const { body } = await create(`${extensions}/replicasets`, named(name, { spec }));
      const owner = { apiVersion: 'extensions/v1beta1', kind: 'ReplicaSet', name, uid: body.metadata.uid };
      const path = '/api/v1/namespaces/default/configmaps';
      await create(path, { metadata: { name, ownerReferences: [owner] } });
      await send('DELETE', `${group}/replicasets/${name}`);
      return `${path}/${name}`;
    };
    const collected = await dependent('collected', apps);
    const orphaned = await dependent('orphaned', extensions);
    await expect.poll(async () => (await send('GET', collected)).status).toBe(404);
    await expect.poll(async () => (await read(orphaned)).metadata.ownerReferences).toBeUndefined();
  });

  it('scales by autoscaling/v1', async () => {
    await create(`${apps}/statefulsets`, named('scaled', { spec: { serviceName: 'db', selector, template } }));
    const merge = 'application/merge-patch+json';
    const { body } = await send('PATCH', `${apps}/statefulsets/scaled/scale`, { spec: { replicas: 3 } }, merge);
    expect(body).toMatchObject({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 3 } });
    expect((await read(`${apps}/statefulsets/scaled`)).spec.replicas).toBe(3);
  });

  it('lists the first hundred mistakes of an Ingress', async () => {
    const backend = { service: { name: 'A_', port: { number: 80 } } };
    const paths = Array.from({ length: 300 }, (_, at) => ({ path: `/${at}`, pathType: 'Prefix', backend }));
    const { status, body } = await create(
      `${networking}/ingresses`,
      named('wrong', { spec: { rules: [{ http: { paths } }] } }),
    );
    expect([status, body.details.causes.length]).toEqual([422, 100]);
  });

  it('converts the backends of an Ingress', async () => {
    const service = (port: object) => ({ service: { name: 'web', port } });
    const paths = [
      { path: '/a', pathType: 'Prefix', backend: service({ number: 80 }) },
      { path: '/b', pathType: 'Exact', backend: { resource: { apiGroup: null, kind: 'Bucket', name: 'b' } } },
    ];
    const spec = { defaultBackend: service({ name: 'http' }), rules: [{ host: 'web.example.com', http: { paths } }] };
    expect((await create(`${networking}/ingresses`, named('web', { spec }))).status).toBe(201);
    expect((await read(`${networking}/ingresses/web`)).spec).toEqual(spec);
    expect((await read(`${extensions}/ingresses/web`)).spec).toEqual({
      backend: { serviceName: 'web', servicePort: 'http' },
      rules: [
        {
          host: 'web.example.com',
          http: {
            paths: [
              { path: '/a', pathType: 'Prefix', backend: { serviceName: 'web', servicePort: 80 } },
              { path: '/b', pathType: 'Exact', backend: { resource: { apiGroup: null, kind: 'Bucket', name: 'b' } } },
            ],
          },
        },
      ],
    });
  });

  it('keeps what autoscaling/v1 cannot show of an autoscaler', async () => {
    const metric = (name: string, averageUtilization: number) => ({
      type: 'Resource',
      resource: { name, target: { type: 'Utilization', averageUtilization } },
    });
    const spec = {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'later' },
      minReplicas: 2,
      maxReplicas: 5,
      metrics: [metric('cpu', 60), metric('memory', 70)],
      behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
    };
    const annotations = { kept: 'yes' };
    const body = { metadata: { name: 'web', annotations }, spec };
    expect((await create(autoscalers('v2'), body)).status).toBe(201);
    const shown = await read(`${autoscalers('v2')}/web`);
    expect(shown.metadata.annotations).toEqual(annotations);
    const byPercent = { type: 'Percent', value: 100, periodSeconds: 15 };
    const byPods = { type: 'Pods', value: 4, periodSeconds: 15 };
    expect(shown.spec).toEqual({
      ...spec,
      behavior: {
        scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [byPods, byPercent] },
        scaleDown: { stabilizationWindowSeconds: 60, selectPolicy: 'Max', policies: [byPercent] },
      },
    });
    const earlier = await read(`${autoscalers('v1')}/web`);
    expect(earlier.spec).toMatchObject({ targetCPUUtilizationPercentage: 60, maxReplicas: 5 });
    expect(JSON.parse(earlier.metadata.annotations['autoscaling.alpha.kubernetes.io/metrics'])).toEqual([
      { type: 'Resource', resource: { name: 'memory', targetAverageUtilization: 70 } },
    ]);
    const broken = { metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '{' } } };
    await send('PATCH', `${autoscalers('v1')}/web`, broken, 'application/merge-patch+json');
    expect((await read(`${autoscalers('v2')}/web`)).spec.metrics).toEqual([metric('cpu', 60)]);
  });

  const described = { apiVersion: 'v1', kind: 'Service', name: 's' };
  const custom = { name: 'm', selector: { matchLabels: { a: 'b' } } };
  it.each([
    [
      { type: 'Pods', pods: { metric: custom, target: { type: 'AverageValue', averageValue: '5' } } },
      { metricName: 'm', targetAverageValue: '5', selector: custom.selector },
    ],
    [
      {
        type: 'Object',
        object: { describedObject: described, metric: custom, target: { type: 'Value', value: '5k' } },
      },
      { target: described, metricName: 'm', targetValue: '5k', selector: custom.selector },
    ],
    [
      {
        type: 'Object',
        object: { describedObject: described, metric: custom, target: { type: 'AverageValue', averageValue: '1' } },
      },
      { target: described, metricName: 'm', targetValue: '0', selector: custom.selector, averageValue: '1' },
    ],
    [
      { type: 'External', external: { metric: custom, target: { type: 'Value', value: '1500m' } } },
      { metricName: 'm', metricSelector: custom.selector, targetValue: '1500m' },
    ],
    [
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 5 } },
      },
      { name: 'cpu', targetAverageUtilization: 5, container: 'c' },
    ],
  ])('has a metric in the form of autoscaling/v1 in an annotation there: %j', async (metric, inV1) => {
    const spec = { scaleTargetRef: { kind: 'ReplicationController', name: 'x' }, maxReplicas: 5, metrics: [metric] };
    await create(autoscalers('v2'), named('measured', { spec }));
    const { annotations } = (await read(`${autoscalers('v1')}/measured`)).metadata;
    const [written] = JSON.parse(annotations['autoscaling.alpha.kubernetes.io/metrics']);
    expect(Object.values(written)).toEqual([metric.type, inV1]);
    expect((await read(`${autoscalers('v2')}/measured`)).spec.metrics).toEqual([metric]);
    await send('DELETE', `${autoscalers('v2')}/measured`);
  });

  it('has the numbers that autoscaling/v1 requires in a status that v2 may leave out', async () => {
    const spec = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'later' }, maxReplicas: 5 };
    await create(autoscalers('v2'), named('numbers', { spec }));
    const status = { currentReplicas: null, desiredReplicas: 2, conditions: [] };
    await send('PATCH', `${autoscalers('v2')}/numbers/status`, { status }, 'application/merge-patch+json');
    expect((await read(`${autoscalers('v1')}/numbers`)).status).toMatchObject({
      currentReplicas: 0,
      desiredReplicas: 2,
    });
  });

  it('answers a review of rules with its spec, which it requires', async () => {
    const kind = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview' };
    const review = { ...kind, spec: { namespace: 'default' } };
    const { body } = await create('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', review);
    expect(body).toMatchObject({ spec: {}, status: { incomplete: false } });
  });

  it('renames the fields of an Event', async () => {
    const events = '/apis/events.k8s.io/v1/namespaces/default/events';
    const event = {
      note: 'it began',
      reason: 'Began',
      type: 'Normal',
      action: 'Beginning',
      eventTime: '2026-01-02T03:04:05.123456Z',
      regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
      reportingController: 'example.com/controller',
      reportingInstance: 'one',
    };
    expect((await create(events, named('e', event))).status).toBe(201);
    expect(await read('/api/v1/namespaces/default/events/e')).toMatchObject({
      message: 'it began',
      involvedObject: event.regarding,
      reportingComponent: 'example.com/controller',
      eventTime: event.eventTime,
    });
    expect(await read(`${events}/e`)).toMatchObject(event);
  });

  it.each<[string, string, object, string[]]>([
    [
      'a Deployment without a selector',
      `${apps}/deployments`,
      { spec: { template } },
      ['spec.selector', 'spec.template.metadata.labels'],
    ],
    [
      'a path without a type',
      `${networking}/ingresses`,
      { spec: { rules: [{ http: { paths: [{ backend: { service: { name: 'a', port: { number: 1 } } } }] } }] } },
      ['spec.rules[0].http.paths[0].pathType'],
    ],
    [
      'a schedule of four fields',
      '/apis/batch/v1/namespaces/default/cronjobs',
      {
        spec: {
          schedule: '* * * *',
          jobTemplate: { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } } },
        },
      },
      ['spec.schedule'],
    ],
    [
      'a budget with both bounds',
      '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
      { spec: { selector, minAvailable: 1, maxUnavailable: 1 } },
      ['spec'],
    ],
    [
      'a slice without a type of addresses',
      '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
      { endpoints: [] },
      ['addressType'],
    ],
  ])('refuses %s', async (_, path, object, fields) => {
    const refused = await create(path, named('refused', object));
    expect([refused.status, causesOf(refused)]).toEqual([422, fields]);
  });

  it('refuses another selector of a Deployment, and another role of a binding', async () => {
    const merge = 'application/merge-patch+json';
    const other = {
      spec: {
        selector: { matchLabels: { app: 'web', more: 'yes' } },
        template: { metadata: { labels: { more: 'yes' } } },
      },
    };
    const changed = await send('PATCH', `${apps}/deployments/later`, other, merge);
    expect([changed.status, causesOf(changed)]).toEqual([422, ['spec.selector']]);
    const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
    expect((await create(bindings, named('system:viewers', { roleRef, subjects: [] }))).status).toBe(201);
    const edit = { roleRef: { ...roleRef, name: 'edit' } };
    expect(causesOf(await send('PATCH', `${bindings}/system:viewers`, edit, merge))).toEqual(['roleRef']);
  });
});

describe('a review of access', () => {
  const group = '/apis/authorization.k8s.io/v1';
  const attributes = { verb: 'get', resource: 'pods', namespace: 'default' };

  it.each([
    ['selfsubjectaccessreviews', { resourceAttributes: attributes }],
    ['subjectaccessreviews', { user: 'jane', resourceAttributes: attributes }],
    ['namespaces/default/localsubjectaccessreviews', { user: 'jane', resourceAttributes: attributes }],
    ['selfsubjectaccessreviews', { nonResourceAttributes: { verb: 'get', path: '/version' } }],
  ])('%s allows', async (plural, spec) => {
    const { status, body } = await create(`${group}/${plural}`, { spec });
    expect([status, body.status.allowed]).toEqual([201, true]);
  });

  it('refuses what the roles of a fresh cluster refuse', async () => {
    await using strict = await startFullServer({ authorizationMode: 'RBAC' });
    const body = JSON.stringify({
      spec: { user: 'jane', groups: ['system:authenticated'], resourceAttributes: attributes },
    });
    const { text } = await ask(strict, `${group}/subjectaccessreviews`, { method: 'POST', body });
    expect(JSON.parse(text).status).toEqual({ allowed: false });
  });

  const local = 'namespaces/other/localsubjectaccessreviews';
  const resourceAttributes = attributes;
  const nonResourceAttributes = { verb: 'get', path: '/version' };
  const both = { resourceAttributes, nonResourceAttributes };

  it.each([
    ['selfsubjectaccessreviews', {}, {}, ['spec.resourceAttributes']],
    ['selfsubjectaccessreviews', both, {}, ['spec.nonResourceAttributes']],
    ['subjectaccessreviews', {}, {}, ['spec.resourceAttributes', 'spec.user']],
    ['subjectaccessreviews', { resourceAttributes }, {}, ['spec.user']],
    [local, { user: 'jane', resourceAttributes }, {}, ['spec.resourceAttributes.namespace']],
    [local, { user: 'jane', nonResourceAttributes }, {}, ['spec.nonResourceAttributes']],
    [local, {}, {}, ['spec.resourceAttributes', 'spec.user']],
    ['selfsubjectaccessreviews', { resourceAttributes }, { name: 'a' }, ['metadata']],
    ['subjectaccessreviews', { user: 'jane', resourceAttributes }, { labels: { a: 'b' } }, ['metadata']],
  ])('%s of %j and %j is refused', async (plural, spec, metadata, fields) => {
    const refused = await create(`${group}/${plural}`, { metadata, spec });
    expect([refused.status, causesOf(refused)]).toEqual([422, fields]);
  });

  it('may have metadata that says nothing', async () => {
    const metadata = { creationTimestamp: null, labels: {}, name: '' };
    const { status } = await create(`${group}/selfsubjectaccessreviews`, { metadata, spec: { resourceAttributes } });
    expect(status).toBe(201);
  });
});

describe('without the later groups', () => {
  it('the server shows and serves the groups of the interface alone', async () => {
    await using plain = await startFullServer({ modern: false });
    const groups = JSON.parse((await ask(plain, '/apis', {})).text).groups as { name: string }[];
    expect(groups.map(({ name }) => name)).toEqual(['autoscaling', 'batch', 'extensions', 'authentication.k8s.io']);
    expect((await ask(plain, '/apis/apps/v1', {})).status).toBe(404);
    expect((await ask(plain, `${apps}/deployments`, {})).status).toBe(404);
    const { resources } = JSON.parse((await ask(plain, '/apis/batch/v1', {})).text);
    expect(resources.map(({ name }: { name: string }) => name)).toEqual(['jobs', 'jobs/status']);
  });
});

describe('fields that came later', () => {
  it.each([true, false])('are kept, with modern %s', async (modern) => {
    await using other = await startFullServer({ modern });
    const spec = {
      containers: [{ name: 'a', image: 'a:1', startupProbe: { grpc: { port: 80 } } }],
      initContainers: [{ name: 'b', image: 'b:1' }],
      tolerations: [{ operator: 'Exists' }],
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
      volumes: [{ name: 'v', projected: { sources: [{ configMap: { name: 'c' } }] } }],
    };
    const pods = '/api/v1/namespaces/default/pods';
    const body = JSON.stringify(named('p', { spec }));
    expect((await ask(other, pods, { method: 'POST', body })).status).toBe(200);
    const kept = JSON.parse((await ask(other, `${pods}/p`, {})).text).spec;
    expect(kept).toMatchObject({ ...spec, volumes: expect.arrayContaining([expect.objectContaining({ name: 'v' })]) });
    expect(kept.volumes[0].projected.sources).toEqual([{ configMap: { name: 'c' } }]);
  });
});
