// What a server of 1.36 makes of objects that clients create, as kube-apiserver 1.36.2 does. `AGAINST` names a real one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import type { AnyShape } from '../../../testing/anyShape.js';
import { sendingTo } from '../../../testing/sending.js';
import { realServerOr } from '../../testing/customResources.js';

let server: RunningServer;
const { create } = sendingTo(() => server);
beforeAll(async () => {
  server = await realServerOr({ without: ['service-account-admission'] });
});
afterAll(() => server.close());

const core = '/api/v1/namespaces/default';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const claims = `${core}/persistentvolumeclaims`;
const autoscalers = (version: string) => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;

/** Asks for the object that a server would create. */
const filled = async (path: string, body: AnyShape): Promise<AnyShape> => {
  const answer = await create(`${path}?dryRun=All`, { ...body, metadata: { name: 'filled', ...body.metadata } });
  expect([200, 201], answer.body.message).toContain(answer.status);
  return answer.body;
};

const container = { name: 'c', image: 'i' };
const once = { restartPolicy: 'Never', containers: [container] };
const onHost = {
  hostNetwork: true,
  containers: [{ ...container, ports: [{ containerPort: 80 }] }],
  initContainers: [{ ...container, name: 'd', ports: [{ containerPort: 81 }] }],
};
const pod = (metadata: object, spec: object = {}) => ({ metadata, spec: { containers: [container], ...spec } });
const template = (spec: object) => ({ metadata: { labels: { a: 'b' } }, spec });

describe('a job', () => {
  it('says how its pods are counted, selected and replaced', async () => {
    const { spec } = await filled(jobs, { spec: { template: { spec: once } } });
    const own = { completionMode: 'NonIndexed', suspend: false, manualSelector: false };
    expect(spec).toMatchObject({ ...own, podReplacementPolicy: 'TerminatingOrFailed' });
  });

  it('whose failures are counted for each index has no limit of them all', async () => {
    const indexed = { completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1 };
    const { spec } = await filled(jobs, { spec: { ...indexed, template: { spec: once } } });
    expect(spec.backoffLimit).toBe(2147483647);
  });

  it('in the template of a cron job says none of that, and has empty metadata', async () => {
    const { jobTemplate } = (
      await filled(cronJobs, { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: once } } } } })
    ).spec;
    expect(Object.keys(jobTemplate).sort()).toEqual(['metadata', 'spec']);
    expect(Object.keys(jobTemplate.spec)).toEqual(['template']);
    expect([jobTemplate.metadata, jobTemplate.spec.template.metadata]).toEqual([{}, {}]);
  });

  const generated = [
    'a',
    'batch.kubernetes.io/controller-uid',
    'batch.kubernetes.io/job-name',
    'controller-uid',
    'job-name',
  ];
  it.each([
    ['none', {}, generated],
    ['those of its template', { labels: { a: 'b' } }, ['a']],
    ['others', { labels: { x: 'y' } }, ['x']],
  ])('with labels that are %s keeps what its client gives', async (_, metadata, labels) => {
    const job = await filled(jobs, { metadata, spec: { template: template(once) } });
    expect(Object.keys(job.metadata.labels).sort()).toEqual(labels);
    expect(Object.keys(job.spec.template.metadata.labels).sort()).toEqual(generated);
  });
});

describe('the ports of the host', () => {
  const portsOf = ({ containers, initContainers }: AnyShape) =>
    [containers, initContainers].map(([{ ports }]) => ports[0].hostPort);

  it('are filled in in pods', async () => {
    expect(portsOf((await filled(`${core}/pods`, { spec: onHost })).spec)).toEqual([80, 81]);
  });

  it.each([
    ['a Deployment', deployments, { spec: { selector: { matchLabels: { a: 'b' } }, template: template(onHost) } }],
    ['a replication controller', `${core}/replicationcontrollers`, { spec: { template: template(onHost) } }],
    ['a pod template', `${core}/podtemplates`, { template: template(onHost) }],
    ['a job', jobs, { spec: { template: template({ ...onHost, ...{ restartPolicy: 'Never' } }) } }],
  ])('are absent in the template of %s', async (_, path, body) => {
    const object = await filled(path, body);
    expect(portsOf((object.template ?? object.spec.template).spec)).toEqual([undefined, undefined]);
  });
});

describe('a claim', () => {
  const [claim, other] = [
    { kind: 'PersistentVolumeClaim', name: 'x' },
    { apiGroup: 'a.b', kind: 'Some', name: 'x' },
  ];
  const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'x' };
  const ofCore = { ...claim, apiGroup: null };
  it.each([
    ['another claim', { dataSource: claim }, ofCore, ofCore],
    ['a snapshot', { dataSource: snapshot }, snapshot, snapshot],
    ['any kind', { dataSourceRef: other }, other, other],
    ['any kind of another namespace', { dataSourceRef: { ...other, namespace: 'n' } }, undefined, undefined],
    ['any kind by the older field', { dataSource: other }, undefined, undefined],
    ['nothing', {}, undefined, undefined],
  ])('of %s has both sources, or none', async (_, sources, source, reference) => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...sources };
    const shown = (await filled(claims, { spec })).spec;
    if ('dataSourceRef' in sources && 'namespace' in sources.dataSourceRef) expect(shown.dataSource).toBeUndefined();
    else expect([shown.dataSource, shown.dataSourceRef]).toEqual([source, reference]);
  });
});

describe('an autoscaler', () => {
  const spec = { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } };
  const conditions = [{ type: 'AbleToScale', status: 'True' }];
  const annotation = 'autoscaling.alpha.kubernetes.io/conditions';

  it.each([
    ['v1', { currentReplicas: 0, desiredReplicas: 0 }],
    ['v2', { desiredReplicas: 0, currentMetrics: null }],
  ])('of %s begins without a status, whatever the client says', async (version, status) => {
    const metadata = { annotations: { [annotation]: JSON.stringify(conditions), x: 'y' } };
    const made = await filled(autoscalers(version), { metadata, spec, status: { desiredReplicas: 3, conditions } });
    expect([made.status, made.metadata.annotations]).toEqual([status, { x: 'y' }]);
  });
});

describe('what a type writes always', () => {
  const backend = { resource: { kind: 'Bucket', name: 'b' } };
  it.each([
    [
      'the group of a reference',
      '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
      { spec: { defaultBackend: backend } },
      { spec: { defaultBackend: { resource: { apiGroup: null } } } },
    ],
    [
      'the type of a path in the earlier version',
      '/apis/extensions/v1beta1/namespaces/default/ingresses',
      { spec: { rules: [{ http: { paths: [{ backend: { serviceName: 's', servicePort: 80 } }] } }] } },
      { spec: { rules: [{ http: { paths: [{ pathType: 'ImplementationSpecific' }] } }] } },
    ],
    [
      'the sources of a projected volume',
      `${core}/podtemplates`,
      { template: { spec: { containers: [container], volumes: [{ name: 'v', projected: {} }] } } },
      { template: { metadata: {}, spec: { volumes: [{ projected: { sources: null } }] } } },
    ],
    [
      'the conditions of an endpoint',
      '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
      { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }] },
      { endpoints: [{ conditions: {} }], ports: null },
    ],
    [
      'the service of a stateful set',
      '/apis/apps/v1/namespaces/default/statefulsets',
      { spec: { selector: { matchLabels: { a: 'b' } }, template: template({ containers: [container] }) } },
      { spec: { serviceName: '' } },
    ],
    [
      'the phase of a volume, and since when',
      '/api/v1/persistentvolumes',
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
      { status: { phase: 'Pending', lastPhaseTransitionTime: expect.any(String) } },
    ],
  ])('%s is there', async (_, path, body, shown) => {
    expect(await filled(path, body)).toMatchObject(shown);
  });

  it.each([
    [
      'the authority of a webhook',
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
      {
        webhooks: [
          {
            ...{ name: 'a.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] },
            clientConfig: { url: 'https://127.0.0.1:1/', caBundle: '' },
          },
        ],
      },
      ({ webhooks }: AnyShape) => webhooks[0].clientConfig,
      { url: 'https://127.0.0.1:1/' },
    ],
  ])('but %s that is empty is absent', async (_, path, body, look, shown) => {
    expect(look(await filled(path, body))).toEqual(shown);
  });
});

describe('a pod', () => {
  const appArmor = 'container.apparmor.security.beta.kubernetes.io/c';
  it.each([
    ['unconfined', {}, { type: 'Unconfined' }],
    ['runtime/default', {}, { type: 'RuntimeDefault' }],
    ['localhost/a', {}, { type: 'Localhost', localhostProfile: 'a' }],
    ['unconfined', { securityContext: { appArmorProfile: { type: 'Unconfined' } } }, undefined],
    ['unconfined', { os: { name: 'windows' } }, undefined],
  ])('whose annotation says that AppArmor is %s has the profile in its container', async (value, more, profile) => {
    const { spec } = await filled(`${core}/pods`, pod({ annotations: { [appArmor]: value } }, more));
    expect(spec.containers[0].securityContext?.appArmorProfile).toEqual(profile);
  });

  it('has its own values of the label keys in its selectors', async () => {
    const labelSelector = { matchLabels: { x: 'y' } };
    const term = { topologyKey: 'k', labelSelector, matchLabelKeys: ['a'], mismatchLabelKeys: ['b', 'none'] };
    const spread = { ...{ maxSkew: 1, topologyKey: 'k', whenUnsatisfiable: 'ScheduleAnyway' }, labelSelector };
    const { spec } = await filled(
      `${core}/pods`,
      pod(
        { labels: { a: '1', b: '2' } },
        {
          affinity: {
            podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] },
            podAntiAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
            },
          },
          topologySpreadConstraints: [{ ...spread, matchLabelKeys: ['b'] }],
        },
      ),
    );
    const same = { key: 'a', operator: 'In', values: ['1'] };
    const both = [same, { key: 'b', operator: 'NotIn', values: ['2'] }];
    const { podAffinity, podAntiAffinity } = spec.affinity;
    expect([
      podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions,
      podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.labelSelector.matchExpressions,
      spec.topologySpreadConstraints[0].labelSelector.matchExpressions,
    ]).toEqual([both, both, [{ key: 'b', operator: 'In', values: ['2'] }]]);
  });

  const prefix = 'metadata.annotations';
  it.each([
    ['controller.kubernetes.io/pod-deletion-cost', '1.5', `${prefix}[controller.kubernetes.io/pod-deletion-cost]`],
    ['kubernetes.io/config.mirror', 'x', `${prefix}[kubernetes.io/config.mirror]`],
    ['seccomp.security.alpha.kubernetes.io/pod', 'x', `${prefix}.seccomp.security.alpha.kubernetes.io/pod`],
    ['scheduler.alpha.kubernetes.io/tolerations', 'x', prefix],
    [appArmor, 'x', `${prefix}[${appArmor}]`],
    [`${appArmor}d`, 'unconfined', `${prefix}[${appArmor}d]`],
  ])('is refused for the annotation %s that is %j', async (name, value, field) => {
    const { status, body } = await create(
      `${core}/pods?dryRun=All`,
      pod({ name: 'p', annotations: { [name]: value } }),
    );
    expect([status, body.details.causes.map((cause: AnyShape) => cause.field)]).toEqual([422, [field]]);
  });
});

describe('a Service of a server with addresses of IPv4', () => {
  const services = `${core}/services`;
  const selector = { a: 'b' };
  const service = (spec: object) => ({ metadata: { name: 's' }, spec: { ports: [{ port: 80 }], ...spec } });
  const headless = { clusterIP: 'None' };
  const all = ['IPv4', 'IPv6'];

  it.each([
    [{}, ['IPv4'], 'SingleStack'],
    [{ ipFamilyPolicy: 'PreferDualStack' }, ['IPv4'], 'PreferDualStack'],
    [{ ...headless, selector }, ['IPv4'], 'SingleStack'],
    [headless, all, 'RequireDualStack'],
    [{ ...headless, ipFamilies: ['IPv4'] }, all, 'RequireDualStack'],
    [{ ...headless, ipFamilies: ['IPv6'] }, ['IPv6', 'IPv4'], 'RequireDualStack'],
    [{ ...headless, ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv6'] }, ['IPv6'], 'SingleStack'],
  ])('%j has the families %j by %s', async (given, ipFamilies, ipFamilyPolicy) => {
    expect((await filled(services, service(given))).spec).toMatchObject({ ipFamilies, ipFamilyPolicy });
  });

  const one = '10.0.0.77';
  const two = (...others: readonly string[]) => ({ clusterIP: one, clusterIPs: [one, ...others] });
  it.each([
    [{ ipFamilies: ['IPv6'] }, ['spec.ipFamilies[0]']],
    [{ ipFamilies: ['IPv5'] }, ['spec.ipFamilies[0]']],
    [{ ipFamilies: ['IPv4', 'IPv4'] }, ['spec.ipFamilies[1]']],
    [{ ipFamilies: all }, ['spec.ipFamilyPolicy']],
    [{ ipFamilies: all, ipFamilyPolicy: 'PreferDualStack' }, ['spec.ipFamilies[1]']],
    [{ ipFamilyPolicy: 'RequireDualStack' }, ['spec.ipFamilyPolicy']],
    [{ ipFamilyPolicy: 'X' }, ['spec.ipFamilyPolicy']],
    [{ ...headless, selector, ipFamilies: ['IPv6'] }, ['spec.ipFamilies[0]']],
    [{ clusterIP: 'fd00::1' }, ['spec.clusterIPs[0]']],
    [{ clusterIP: one, ipFamilies: ['IPv6'] }, ['spec.clusterIPs[0]']],
    [two('fd00::1'), ['spec.ipFamilyPolicy', 'spec.clusterIPs[1]']],
    [two('10.0.0.78'), ['spec.clusterIPs']],
    [two('x'), ['spec.clusterIPs[1]']],
    [{ ...two('fd00::1', 'fd00::2'), ipFamilyPolicy: 'PreferDualStack' }, ['spec.clusterIPs']],
    [{ clusterIP: one, clusterIPs: ['10.0.0.78'] }, ['spec.clusterIPs']],
    [{ clusterIPs: [one] }, ['spec.clusterIPs']],
    [{ ...headless, clusterIPs: ['None', 'None'] }, ['spec.clusterIPs', 'spec.clusterIPs[1]']],
    [{ type: 'ExternalName', externalName: 'a.b', ipFamilies: ['IPv4'] }, ['spec.ipFamilies']],
    [{ type: 'ExternalName', externalName: 'a.b', ipFamilyPolicy: 'SingleStack' }, ['spec.ipFamilyPolicy']],
  ])('%j is refused for %j', async (given, fields) => {
    const { status, body } = await create(`${services}?dryRun=All`, service(given));
    expect([status, body.details?.causes?.map((cause: AnyShape) => cause.field)]).toEqual([422, fields]);
  });
});

it.each([
  ['i', 'Always'],
  ['i:latest', 'Always'],
  ['i:1', 'IfNotPresent'],
  [`i@sha256:${'a'.repeat(64)}`, 'IfNotPresent'],
  [`i:latest@sha256:${'a'.repeat(64)}`, 'Always'],
  [`r.example.com:5000/i:1@sha256:${'a'.repeat(64)}`, 'IfNotPresent'],
])('the image %s is pulled %s', async (image, policy) => {
  const { spec } = await filled(`${core}/pods`, { spec: { containers: [{ ...container, image }] } });
  expect(spec.containers[0].imagePullPolicy).toBe(policy);
});

it('a container says nothing of its resize unless its client does', async () => {
  const resources = { requests: { cpu: '1', memory: '1Gi' } };
  const { spec } = await filled(`${core}/pods`, { spec: { containers: [{ ...container, resources }] } });
  expect(spec.containers[0].resizePolicy).toBeUndefined();
});

it('a pod with limits of its own requests what its containers request together, and otherwise its limits', async () => {
  const requesting = (cpu: string) => ({ ...container, resources: { requests: { cpu } } });
  const { spec, status } = await filled(`${core}/pods`, {
    spec: {
      resources: { limits: { cpu: '4', memory: '2Gi' } },
      containers: [requesting('1'), { ...requesting('500m'), name: 'd' }],
      initContainers: [
        { ...requesting('100m'), name: 'side', restartPolicy: 'Always' },
        { ...requesting('2'), name: 'i' },
      ],
      schedulingGates: [{ name: 'a.b/c' }],
    },
  });
  expect(spec.resources).toEqual({ limits: { cpu: '4', memory: '2Gi' }, requests: { cpu: '2100m', memory: '2Gi' } });
  expect(status.conditions[0]).toMatchObject({ type: 'PodScheduled', lastProbeTime: null });
});

it('a service that has addresses outside of the cluster says how it is reached there', async () => {
  const spec = { ports: [{ port: 80 }], externalIPs: ['1.2.3.4'] };
  expect((await filled(`${core}/services`, { spec })).spec.externalTrafficPolicy).toBe('Cluster');
});

it('names of Services may begin with a digit', async () => {
  const { metadata } = await filled(`${core}/services`, { metadata: { name: '1a' }, spec: { ports: [{ port: 80 }] } });
  expect(metadata.name).toBe('1a');
});

it('an object that is invalid is refused for that, before its resourceVersion is looked at', async () => {
  const body = { metadata: { name: 'BAD', resourceVersion: '5' } };
  expect((await create(`${core}/configmaps`, body)).status).toBe(422);
  const valid = { metadata: { name: 'good', resourceVersion: '5' } };
  expect([400, 500]).toContain((await create(`${core}/configmaps`, valid)).status);
});
