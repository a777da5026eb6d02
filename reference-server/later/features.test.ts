import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { features } from '../features/features.js';
import { OptionError } from '../optionValues.js';
import { peerCertificates, startHttpsPeer } from '../testing/httpsPeer.js';
import { keys, startIssuer } from '../testing/openidIssuer.js';
import { aWhile, ServerClient } from '../testing/serverClient.js';
import { type FullServerOptions, startFullServer } from './index.js';

const folder = mkdtempSync(join(tmpdir(), 'features-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const peerCa = file('peer.crt', peerCertificates.ca.certificate);
const basicAuthFile = file('passwords.csv', 'secret,anna,u1\n');
const issuer = await startIssuer();
const peer = await startHttpsPeer(() => ({ body: { access: { token: { id: 'x' } } } }));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([issuer.close(), peer.close()]);
});

const system = '/api/v1/namespaces/kube-system/configmaps';
const core = '/api/v1/namespaces/default';
const anna = `Basic ${btoa('anna:secret')}`;
const pod = (more: object = {}) => ({
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'm', image: 'x', ...more }] },
});

const claims = `${core}/persistentvolumeclaims`;
const claim = () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  return { metadata: { name: 'a' }, spec };
};
const apps = '/apis/apps/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const jobSpec = { template: { spec: { ...pod().spec, restartPolicy: 'Never' } } };
const workload = (more: object = {}) => ({
  metadata: { name: 'a' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: pod().spec },
    ...more,
  },
});

/** Creates an object, and returns how many objects a list has once a controller has acted. */
function controlled(path: string, body: object, listed: string): Row['look'] {
  return async (client, lacks) => {
    await client.call('POST', path, body);
    const count = async (): Promise<number> => (await client.call('GET', listed)).items.length;
    await client.until(async () => (await count()) > 0, lacks ? aWhile : undefined);
    return count();
  };
}

const makesOne = (path: string, body: object, listed = `${core}/pods`): Row => ({
  look: controlled(path, body, listed),
  usual: 1,
  without: 0,
});

/** A response that differs if the server lacks the feature. */
interface Row {
  readonly options?: FullServerOptions;
  /** With `lacks`, an event that must not happen is awaited only for a short time. */
  readonly look: (client: ServerClient, lacks: boolean) => Promise<unknown>;
  readonly usual: unknown;
  readonly without: unknown;
}

const thingDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

const rows: Readonly<Record<keyof typeof features | `group:${string}` | `resource:${string}`, Row>> = {
  'dry-run': {
    async look(client) {
      await client.config('a');
      await client.call('DELETE', `${core}/configmaps/a`, { dryRun: ['All'] });
      await client.call('POST', `${core}/configmaps?dryRun=All`, { metadata: { name: 'b' } });
      return [await client.status('GET', `${core}/configmaps/a`), await client.status('GET', `${core}/configmaps/b`)];
    },
    usual: [200, 404],
    without: [404, 200],
  },
  limit: {
    look: async (client) => (await client.call('GET', '/api/v1/namespaces?limit=1&continue=')).items.length,
    usual: 1,
    without: 4,
  },
  'resource-version-match': {
    look: (client) => client.status('GET', '/api/v1/namespaces?resourceVersionMatch=Sometimes&resourceVersion=1'),
    usual: 422,
    without: 200,
  },
  'propagation-policy': {
    async look(client) {
      await client.config('a');
      await client.config('b');
      const options = { propagationPolicy: 'Sometimes' };
      const asked = await client.status('DELETE', `${core}/configmaps/b`, options);
      return [await client.status('DELETE', `${core}/configmaps/a?propagationPolicy=Sometimes`), asked];
    },
    usual: [422, 422],
    without: [200, 200],
  },
  'precondition-version': {
    async look(client) {
      await client.config('a');
      return client.status('DELETE', `${core}/configmaps/a`, { preconditions: { resourceVersion: '1' } });
    },
    usual: 409,
    without: 200,
  },
  'field-validation': {
    look: (client) =>
      client.status('POST', `${core}/configmaps?fieldValidation=Strict`, { metadata: { name: 'a' }, more: 1 }),
    usual: 400,
    without: 200,
  },
  openapi: {
    look: async (client) => [
      await client.status('GET', '/openapi/v2'),
      await client.status('GET', '/openapi/v3/api/v1'),
      (await client.call('GET', '/')).paths.includes('/openapi/v2'),
    ],
    usual: [200, 200, true],
    without: [404, 404, false],
  },
  'strategic-directives': {
    async look(client) {
      await client.config('a', { finalizers: ['x/a', 'x/b'] });
      const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['x/a'] } };
      return (await client.patch(`${core}/configmaps/a`, patch)).metadata.finalizers;
    },
    usual: ['x/b'],
    without: ['x/a', 'x/b'],
  },
  bookmarks: {
    look: (client) => client.events('allowWatchBookmarks=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan'),
    usual: ['BOOKMARK'],
    without: [],
  },
  'initial-events': {
    look: (client) => client.status('GET', `${core}/configmaps?watch=true&timeoutSeconds=1&sendInitialEvents=true`),
    usual: 422,
    without: 200,
  },
  'managed-fields': {
    async look(client) {
      const { metadata } = await client.config('a', { labels: { a: 'b' } });
      return [
        metadata.managedFields !== undefined,
        await client.apply(`${core}/configmaps/a?fieldManager=m`, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'a' },
        }),
      ];
    },
    usual: [true, 200],
    without: [false, 415],
  },
  'cause-names': {
    async look(client) {
      const resources = { limits: { cpu: '1' }, requests: { cpu: '2' } };
      const { message, details } = await client.call('POST', `${core}/pods`, pod({ resources }));
      return [details.causes[0].field, message.includes(`${details.causes[0].field}: Invalid value`)];
    },
    usual: ['spec.containers[0].resources.requests', true],
    without: ['spec.containers[0].resources.limits', true],
  },
  'jwt-algorithms': {
    options: { oidcIssuerUrl: issuer.issuer, oidcClientId: 'me', oidcCaFile: peerCa },
    look: async (client) => [
      await client.authorized(`Bearer ${await issuer.sign({}, keys.rs)}`),
      await client.authorized(`Bearer ${await issuer.sign({}, keys.es)}`),
    ],
    usual: [200, 200],
    without: [200, 401],
  },
  'self-review': {
    look: (client) => client.status('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}),
    usual: 200,
    without: 404,
  },
  'access-review': {
    look: (client) => client.status('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {}),
    usual: 422,
    without: 404,
  },
  'api-aggregation': {
    async look(client, lacks) {
      const spec = { group: 'a.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
      const service = { namespace: 'default', name: 'none' };
      const services = '/apis/apiregistration.k8s.io/v1/apiservices';
      await client.call('POST', services, { metadata: { name: 'v1.a.example.com' }, spec: { ...spec, service } });
      return client.eventually(503, '/apis/a.example.com/v1/things', lacks);
    },
    usual: 503,
    without: 404,
  },
  'admission-policies': {
    look: (client) => client.status('GET', '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies'),
    usual: 200,
    without: 404,
  },
  'admission-webhooks': {
    look: (client) => client.status('GET', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'),
    usual: 200,
    without: 404,
  },
  'custom-resources': {
    async look(client, lacks) {
      const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      await client.call('POST', definitions, thingDefinition);
      return client.eventually(200, '/apis/example.com/v1/things', lacks);
    },
    usual: 200,
    without: 404,
  },
  export: {
    look: (client) => client.status('GET', '/api/v1/namespaces/default?export=true'),
    usual: 200,
    without: 400,
  },
  'legacy-proxy': {
    look: async (client) => (await client.call('GET', '/api/v1/proxy/nodes/none')).message,
    usual: 'nodes "none" not found',
    without: 'the server could not find the requested resource',
  },
  'static-password': {
    options: { basicAuthFile },
    look: (client) => client.authorized(anna),
    usual: 200,
    without: 401,
  },
  'identity-service': {
    options: { experimentalKeystoneUrl: peer.url, experimentalKeystoneCaFile: peerCa },
    look: (client) => client.authorized(anna),
    usual: 200,
    without: 401,
  },
  'token-secrets': {
    async look(client) {
      const { secrets = [] } = await client.call('GET', `${core}/serviceaccounts/default`);
      await client.call('POST', `${core}/pods`, pod());
      const again = await client.status('PUT', `${core}/pods/a`, await client.call('GET', `${core}/pods/a`));
      return [secrets.length, again];
    },
    usual: [1, 200],
    without: [0, 200],
  },
  protobuf: {
    look: (client) => client.accepted('/apis/batch/v1/jobs', 'application/vnd.kubernetes.protobuf'),
    usual: 200,
    without: 406,
  },
  'garbage-collection': {
    async look(client, lacks) {
      await client.config('a');
      await client.status('DELETE', `${core}/configmaps/a`, { orphanDependents: true });
      return client.eventually(404, `${core}/configmaps/a`, lacks);
    },
    usual: 404,
    without: 200,
  },
  'quota-controller': {
    async look(client, lacks) {
      await client.call('POST', `${core}/resourcequotas`, {
        metadata: { name: 'a' },
        spec: { hard: { secrets: '0' } },
      });
      if (!lacks)
        await client.until(
          async () => (await client.call('GET', `${core}/resourcequotas/a`)).status.hard !== undefined,
        );
      const before = await client.status('POST', `${core}/secrets`, { metadata: { name: 'a' } });
      // Admission uses the status, even if a client wrote it.
      await client.patch(`${core}/resourcequotas/a/status`, {
        status: { hard: { secrets: '1' }, used: { secrets: '1' } },
      });
      return [before, await client.status('POST', `${core}/secrets`, { metadata: { name: 'b' } })];
    },
    usual: [403, 403],
    without: [200, 403],
  },
  'namespace-controller': {
    async look(client, lacks) {
      await client.call('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
      await client.status('DELETE', '/api/v1/namespaces/a');
      return client.eventually(404, '/api/v1/namespaces/a', lacks);
    },
    usual: 404,
    without: 200,
  },
  'cronjob-controller': {
    async look(client, lacks) {
      // Every minute of the past counts as missed.
      await client.call('POST', `${batch}/cronjobs`, {
        metadata: { name: 'a' },
        spec: { schedule: '* * * * *', jobTemplate: { spec: jobSpec } },
      });
      const status = { lastScheduleTime: '2020-01-01T00:00:00Z' };
      await client.merge(`${batch}/cronjobs/a/status`, { status });
      const count = async (): Promise<number> => (await client.call('GET', `${batch}/jobs`)).items.length;
      await client.until(async () => (await count()) > 0, lacks ? aWhile : undefined);
      return (await count()) > 0;
    },
    usual: true,
    without: false,
  },
  'daemonset-controller': {
    async look(client, lacks) {
      await client.call('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
      return controlled(`${apps}/daemonsets`, workload({ replicas: undefined }), `${core}/pods`)(client, lacks);
    },
    usual: 1,
    without: 0,
  },
  'taint-eviction-controller': {
    async look(client, lacks) {
      const taints = [{ key: 'a', effect: 'NoExecute' }];
      await client.call('POST', '/api/v1/nodes', { metadata: { name: 'n' }, spec: { taints } });
      const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
      await client.call('POST', `${core}/pods`, { metadata: { name: 'a', finalizers: ['example.com/a'] }, spec });
      const isDeleted = async () =>
        (await client.call('GET', `${core}/pods/a`)).metadata.deletionTimestamp !== undefined;
      await client.until(isDeleted, lacks ? aWhile : undefined);
      return isDeleted();
    },
    usual: true,
    without: false,
  },
  'deployment-controller': makesOne(`${apps}/deployments`, workload(), `${apps}/replicasets`),
  'deployment-rollout': makesOne(`${apps}/deployments`, workload()),
  'disruption-controller': {
    async look(client, lacks) {
      const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
      await client.call('POST', budgets, { metadata: { name: 'a' }, spec: { minAvailable: 1 } });
      const isObserved = async () => (await client.call('GET', `${budgets}/a`)).status.observedGeneration === 1;
      await client.until(isObserved, lacks ? aWhile : undefined);
      return isObserved();
    },
    usual: true,
    without: false,
  },
  'endpoints-controller': makesOne(
    `${core}/services`,
    { metadata: { name: 'a' }, spec: { selector: { app: 'a' }, ports: [{ port: 80 }] } },
    `${core}/endpoints`,
  ),
  'job-controller': makesOne(`${batch}/jobs`, { metadata: { name: 'a' }, spec: jobSpec }),
  'replicaset-controller': makesOne(`${apps}/replicasets`, workload()),
  'replication-controller': makesOne(`${core}/replicationcontrollers`, workload({ selector: { app: 'a' } })),
  'statefulset-controller': makesOne(`${apps}/statefulsets`, workload({ serviceName: 'a' })),
  'service-account-controller': {
    async look(client) {
      const given = await client.status('GET', `${core}/serviceaccounts/default`);
      const created = await client.status('POST', `${core}/pods`, pod());
      // A pod of a present server has its token without a Secret, and does not wait for whoever makes one.
      await client.call('POST', `${core}/serviceaccounts`, { metadata: { name: 'robot' } });
      const robot = { metadata: { name: 'b' }, spec: { ...pod().spec, serviceAccountName: 'robot' } };
      const ofRobot = await client.status('POST', `${core}/pods`, robot);
      const { items } = await client.call('GET', `${core}/secrets`);
      return { given, created, ofRobot, tokens: items.length };
    },
    usual: { given: 200, created: 200, ofRobot: 200, tokens: 2 },
    without: { given: 404, created: 403, ofRobot: 200, tokens: 0 },
  },
  'kubernetes-service': {
    look: async (client) => [
      await client.status('GET', `${core}/services/kubernetes`),
      await client.status('GET', `${core}/endpoints/kubernetes`),
      await client.status('GET', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes'),
    ],
    usual: [200, 200, 200],
    without: [404, 404, 404],
  },
  'aggregated-discovery': {
    look: (client) => client.accepted('/apis', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'),
    usual: 200,
    without: 406,
  },
  'certificate-signing': {
    look: async (client) =>
      (await client.call('GET', `${system}/extension-apiserver-authentication`)).data['client-ca-file'],
    usual: expect.stringContaining('BEGIN CERTIFICATE'),
    without: undefined,
  },
  'system-priority-classes': {
    look: async (client) => {
      const path = '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical';
      return [await client.status('GET', path), await client.status('DELETE', path)];
    },
    usual: [200, 403],
    without: [404, 404],
  },
  'default-flow-control': {
    async look(client) {
      const flows = '/apis/flowcontrol.apiserver.k8s.io/v1';
      const { items } = await client.call('GET', `${flows}/prioritylevelconfigurations`);
      return [await client.status('GET', `${flows}/flowschemas/catch-all`), items.length];
    },
    usual: [200, 8],
    without: [404, 0],
  },
  'default-service-cidr': {
    look: async (client) =>
      (await client.call('GET', '/apis/networking.k8s.io/v1/servicecidrs/kubernetes')).status?.conditions?.[0].type,
    usual: 'Ready',
    without: undefined,
  },
  'root-ca-configmap': {
    look: (client, lacks) => client.eventually(200, `${core}/configmaps/kube-root-ca.crt`, lacks),
    usual: 200,
    without: 404,
  },
  'authentication-configmap': {
    look: (client) => client.status('GET', `${system}/extension-apiserver-authentication`),
    usual: 200,
    without: 404,
  },
  'token-tracking-configmap': {
    look: (client) => client.status('GET', `${system}/kube-apiserver-legacy-service-account-token-tracking`),
    usual: 200,
    without: 404,
  },
  'node-lease-namespace': {
    look: (client) => client.status('GET', '/api/v1/namespaces/kube-node-lease'),
    usual: 200,
    without: 404,
  },
  'namespace-label': {
    look: async (client) => (await client.call('GET', '/api/v1/namespaces/default')).metadata.labels,
    usual: { 'kubernetes.io/metadata.name': 'default' },
    without: undefined,
  },
  'default-tolerations': {
    look: async (client) => (await client.call('POST', `${core}/pods`, pod())).spec.tolerations?.length,
    usual: 2,
    without: undefined,
  },
  priorities: {
    look: async (client) => (await client.call('POST', `${core}/pods`, pod())).spec.priority,
    usual: 0,
    without: undefined,
  },
  'runtime-classes': {
    look: (client) =>
      client.status('POST', `${core}/pods`, { ...pod(), spec: { ...pod().spec, runtimeClassName: 'absent' } }),
    usual: 403,
    without: 200,
  },
  'default-storage-class': {
    async look(client) {
      const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
      const classes = '/apis/storage.k8s.io/v1/storageclasses';
      await client.call('POST', classes, { metadata: { name: 'usual', annotations }, provisioner: 'p' });
      return (await client.call('POST', claims, claim())).spec.storageClassName;
    },
    usual: 'usual',
    without: undefined,
  },
  'default-ingress-class': {
    async look(client) {
      const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
      const networking = '/apis/networking.k8s.io/v1';
      const spec = { controller: 'example.com/c' };
      await client.call('POST', `${networking}/ingressclasses`, { metadata: { name: 'usual', annotations }, spec });
      const defaultBackend = { service: { name: 's', port: { number: 80 } } };
      const ingress = { metadata: { name: 'a' }, spec: { defaultBackend } };
      return (await client.call('POST', `${networking}/namespaces/default/ingresses`, ingress)).spec.ingressClassName;
    },
    usual: 'usual',
    without: undefined,
  },
  'claim-resize': {
    async look(client) {
      await client.call('POST', claims, claim());
      await client.merge(`${claims}/a/status`, { status: { phase: 'Bound' } });
      return (await client.merge(`${claims}/a`, { spec: { resources: { requests: { storage: '2Gi' } } } })).code;
    },
    usual: 403,
    without: undefined,
  },
  'pod-security': {
    async look(client) {
      const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
      await client.merge('/api/v1/namespaces/default', { metadata: { labels } });
      return client.status('POST', `${core}/pods`, pod());
    },
    usual: 403,
    without: 200,
  },
  'volume-protection': {
    async look(client) {
      return (await client.call('POST', claims, claim())).metadata.finalizers;
    },
    usual: ['kubernetes.io/pvc-protection'],
    without: undefined,
  },
  'limit-ranger': {
    async look(client) {
      const limits = [{ type: 'Container', max: { cpu: '1' } }];
      await client.call('POST', `${core}/limitranges`, { metadata: { name: 'a' }, spec: { limits } });
      return client.status('POST', `${core}/pods`, pod({ resources: { limits: { cpu: '2' } } }));
    },
    usual: 403,
    without: 200,
  },
  'quota-admission': {
    async look(client) {
      const path = `${core}/resourcequotas`;
      await client.call('POST', path, { metadata: { name: 'a' }, spec: { hard: { secrets: '0' } } });
      await client.until(async () => (await client.call('GET', `${path}/a`)).status.hard !== undefined);
      return client.status('POST', `${core}/secrets`, { metadata: { name: 'a' } });
    },
    usual: 403,
    without: 200,
  },
  'service-account-admission': {
    look: async (client) => (await client.call('POST', `${core}/pods`, pod())).spec.serviceAccountName,
    usual: 'default',
    without: undefined,
  },
  'group:extensions': {
    look: async (client) => [
      (await client.call('GET', '/apis')).groups.map(({ name }: { name: string }) => name).includes('extensions'),
      await client.status('GET', '/apis/extensions/v1beta1'),
      await client.status('GET', '/apis/extensions/v1beta1/deployments'),
    ],
    usual: [true, 200, 200],
    without: [false, 404, 404],
  },
  'resource:extensions/jobs': {
    look: async (client) => [
      JSON.stringify(await client.call('GET', '/apis/extensions/v1beta1')).includes('"jobs"'),
      await client.status('GET', '/apis/extensions/v1beta1/jobs'),
      await client.status('GET', '/apis/batch/v1/jobs'),
    ],
    usual: [true, 200, 200],
    without: [false, 404, 200],
  },
};

describe('a server', () => {
  it.each(Object.entries(rows))(
    'without %s behaves as a server that never had it',
    async (feature, { options = {}, look, usual, without }) => {
      // Most rows look at all objects of a namespace.
      const others = ['kubernetes-service', 'root-ca-configmap'].filter((name) => name !== feature);
      await using whole = await startFullServer({ ...options, without: others });
      await using lacking = await startFullServer({ ...options, without: [...others, feature] });
      expect(await look(new ServerClient(whole), false)).toEqual(usual);
      expect(await look(new ServerClient(lacking), true)).toEqual(without);
    },
  );

  it('has a row in this test for each feature', () => {
    for (const feature of Object.keys(features)) expect(rows).toHaveProperty(feature);
  });

  it.each(['none', 'group:none', 'resource:core/none', 'group:', 'toString'])('does not know %s', async (name) => {
    const start = startFullServer({ without: [name] });
    await expect(start).rejects.toThrow(OptionError);
    await expect(start).rejects.toThrow(`--without: there is no feature ${name}; `);
  });
});
