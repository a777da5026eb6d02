// Fields of few values: each value that the kind allows is accepted, and kept.
import { resourceId } from '../../matrix/api/index.js';
import { fail, holds, success } from '../client/expect.js';
import { isObject, type JsonObject, merge } from '../client/json.js';
import { resourceOf } from '../client/paths.js';
import { sampleOf } from '../objects/samples/index.js';
import { otherVolumes } from '../objects/samples/volumes.js';
import type { allowedBodies, OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { tryCreate } from './refusals.js';

type Allowed = {
  readonly [R in keyof typeof allowedBodies]: Readonly<Record<(typeof allowedBodies)[R][number], JsonObject>>;
};

const main = { name: 'main', image: 'registry.example/conformance:1' };
const pod = (spec: JsonObject): JsonObject => ({ spec: { containers: [main], ...spec } });
const job = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });
const pulled = (imagePullPolicy: string): JsonObject => job({ containers: [{ ...main, imagePullPolicy }] });
const probe = (scheme: string): JsonObject => ({ httpGet: { path: '/', port: 80, scheme } });

/** Keys that only this selector has: it selects what the labels of the sample select. */
const eachOperator = {
  matchExpressions: [
    { key: 'app', operator: 'In', values: ['other', 'conformance'] },
    { key: 'app', operator: 'NotIn', values: ['another'] },
    { key: 'app', operator: 'Exists' },
    { key: 'kube-api-conformance/none', operator: 'DoesNotExist' },
  ],
} satisfies JsonObject;
const selecting = { spec: { selector: eachOperator } } satisfies JsonObject;

/** A volume of another source than the sample. */
const volume = (source: string): JsonObject => {
  const found = otherVolumes.find((one) => one[source] !== undefined) ?? fail(`no volume of ${source}`);
  return { spec: { hostPath: undefined, [source]: found[source] } };
};

const file = Buffer.from('{}').toString('base64');
const secret = (type: string, ...keys: readonly string[]): JsonObject => ({
  type,
  data: { 'sample-key': undefined, ...Object.fromEntries(keys.map((key) => [key, file])) },
});

const backend = { serviceName: 'some-service', servicePort: 80 };
const rule = (host: string | undefined, path?: string): JsonObject => ({
  spec: { rules: [{ host, http: { paths: [{ path, backend }] } }] },
});

const sizes = {
  'one size': { spec: { minReplicas: 3, maxReplicas: 3 } },
  'no target': { spec: { targetCPUUtilizationPercentage: undefined, cpuUtilization: undefined } },
} satisfies Readonly<Record<string, JsonObject>>;

const protocols = [
  { name: 'tcp', port: 53, protocol: 'TCP' },
  { name: 'udp', port: 53, protocol: 'UDP' },
];

/** Keys that an object of a language has, or that one takes for a number or a constant. */
const words = 'constructor toString hasOwnProperty length class None null true 0 1e3 -'.split(' ');

const allowed: Allowed = {
  'core/pods': {
    'restarts on failure': pod({ restartPolicy: 'OnFailure' }),
    'always restarts': pod({ restartPolicy: 'Always' }),
    'the DNS of the cluster': pod({ dnsPolicy: 'ClusterFirst' }),
    'both protocols': pod({
      containers: [{ ...main, ports: protocols.map(({ port, ...rest }) => ({ ...rest, containerPort: port })) }],
    }),
    'both schemes': pod({
      containers: [{ ...main, livenessProbe: probe('HTTP'), readinessProbe: probe('HTTPS') }],
    }),
  },
  'core/services': {
    NodePort: { spec: { type: 'NodePort' } },
    ExternalName: {
      spec: { type: 'ExternalName', externalName: 'some.example.com', selector: undefined, ports: undefined },
    },
    headless: { spec: { clusterIP: 'None' } },
    'both protocols': { spec: { ports: protocols } },
  },
  'core/secrets': {
    dockercfg: secret('kubernetes.io/dockercfg', '.dockercfg'),
    dockerconfigjson: secret('kubernetes.io/dockerconfigjson', '.dockerconfigjson'),
    'basic-auth': secret('kubernetes.io/basic-auth', 'username', 'password'),
    'ssh-auth': secret('kubernetes.io/ssh-auth', 'ssh-privatekey'),
    tls: secret('kubernetes.io/tls', 'tls.crt', 'tls.key'),
    'a type of its own': secret('conformance.example/own', 'some'),
  },
  'core/configmaps': {
    'keys that languages know': { data: Object.fromEntries(words.map((word) => [word, `of ${word}`])) },
    'no data': { data: undefined },
  },
  'core/endpoints': {
    'both protocols': { subsets: [{ addresses: [{ ip: '192.0.2.10' }], ports: protocols }] },
    'no addresses': { subsets: undefined },
  },
  'core/persistentvolumes': {
    deleted: { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
    recycled: { spec: { persistentVolumeReclaimPolicy: 'Recycle' } },
    'written by many': { spec: { accessModes: ['ReadWriteMany', 'ReadOnlyMany'] } },
    nfs: volume('nfs'),
    iscsi: volume('iscsi'),
    glusterfs: volume('glusterfs'),
    rbd: volume('rbd'),
    cephfs: volume('cephfs'),
    fc: volume('fc'),
    flexVolume: volume('flexVolume'),
    flocker: volume('flocker'),
    azureFile: volume('azureFile'),
    quobyte: volume('quobyte'),
  },
  'core/persistentvolumeclaims': {
    'read by many': { spec: { accessModes: ['ReadOnlyMany'] } },
    'written by many': { spec: { accessModes: ['ReadWriteMany', 'ReadWriteOnce'] } },
    'each operator': selecting,
  },
  'autoscaling/horizontalpodautoscalers': sizes,
  'batch/jobs': {
    'restarts on failure': job({ restartPolicy: 'OnFailure' }),
    'pulled if absent': pulled('IfNotPresent'),
    'never pulled': pulled('Never'),
  },
  'extensions/daemonsets': { 'each operator': selecting },
  'extensions/deployments': {
    recreated: { spec: { strategy: { type: 'Recreate' } } },
    'each operator': selecting,
    'parts in percent': {
      spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '30%', maxSurge: '100%' } } },
    },
  },
  'extensions/horizontalpodautoscalers': sizes,
  'extensions/ingresses': {
    'any subdomain': rule('*.example.com', '/'),
    'no host': rule(undefined, '/a/b'),
    'no rules': { spec: { rules: undefined, backend } },
    'no path': rule('conformance.example.com'),
  },
  'extensions/replicasets': { 'each operator': selecting },
};

/** Creates an object with the variant's values. */
export async function createAllowed(subject: OperationSubject, context: Context) {
  const resource = resourceOf(subject.operation);
  const table = allowed as Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
  const over = table[resourceId(resource)]?.[subject.variant ?? ''] ?? fail(`no row for ${subject.id}`);
  return { expected: given(merge(sampleOf(resource).fields, over)), ...(await tryCreate(context, resource, over)) };
}

/** Returns an object without the members that are undefined. */
function given(object: JsonObject): JsonObject {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, isObject(value) ? given(value) : value]));
}

/** Throws Failure unless the object was created, and is read with what was sent. */
export function isKept({ reply, after, expected }: Awaited<ReturnType<typeof createAllowed>>): void {
  success(reply);
  holds(after, expected, `${reply.request}, then read`);
}
