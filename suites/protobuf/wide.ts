// Objects with a value in as many fields as a server accepts at once, so that each field number is used.
import type { Resource } from '../../matrix/api/index.js';
import { isObject, type Json, type JsonObject, merge } from '../client/json.js';
import { noNode } from '../objects/samples/sample.js';
import { wideVolumes } from './wideVolumes.js';

const metadata = {
  labels: { 'kube-api-conformance/wide': 'label' },
  annotations: { 'kube-api-conformance/wide': 'annotation' },
};

const podSpec: JsonObject = {
  nodeSelector: noNode,
  terminationGracePeriodSeconds: 7,
  dnsPolicy: 'Default',
  hostname: 'some-host',
  subdomain: 'some-domain',
  imagePullSecrets: [{ name: 'some-pull-secret' }],
  securityContext: {
    runAsUser: 1001,
    runAsNonRoot: true,
    fsGroup: 1002,
    supplementalGroups: [1003, 70_000],
    seLinuxOptions: { user: 'user_u', role: 'role_r', type: 'type_t', level: 's0:c1,c2' },
  },
  volumes: wideVolumes,
  containers: [
    {
      name: 'main',
      image: 'registry.example/conformance:1',
      command: ['first', ''],
      args: ['second'],
      workingDir: '/work',
      ports: [{ name: 'web', hostPort: 8081, containerPort: 8080, protocol: 'UDP', hostIP: '192.0.2.7' }],
      env: [
        { name: 'PLAIN', value: 'a=b' },
        { name: 'FIELD', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
        {
          name: 'LIMIT',
          valueFrom: { resourceFieldRef: { containerName: 'main', resource: 'limits.memory', divisor: '1Mi' } },
        },
        { name: 'SETTING', valueFrom: { configMapKeyRef: { name: 'some-settings', key: 'setting' } } },
        { name: 'SECRET', valueFrom: { secretKeyRef: { name: 'some-secret', key: 'secret' } } },
      ],
      resources: { limits: { cpu: '250m', memory: '64Mi' }, requests: { cpu: '100m', memory: '32Mi' } },
      volumeMounts: [{ name: 'empty', mountPath: '/scratch', subPath: 'part', readOnly: true }],
      livenessProbe: {
        httpGet: {
          path: '/live',
          port: 'web',
          host: 'probe.example.com',
          scheme: 'HTTPS',
          httpHeaders: [{ name: 'X-Probe', value: 'yes' }],
        },
        initialDelaySeconds: 11,
        timeoutSeconds: 12,
        periodSeconds: 13,
        failureThreshold: 14,
      },
      readinessProbe: { tcpSocket: { port: 8082 }, successThreshold: 15 },
      lifecycle: {
        postStart: { exec: { command: ['started'] } },
        preStop: { httpGet: { path: '/stop', port: 8083, scheme: 'HTTP' } },
      },
      terminationMessagePath: '/last/words',
      imagePullPolicy: 'Never',
      securityContext: {
        capabilities: { add: ['CHOWN'], drop: ['KILL'] },
        privileged: false,
        seLinuxOptions: { user: 'other_u', role: 'other_r', type: 'other_t', level: 's1' },
        runAsUser: 1004,
        runAsNonRoot: true,
        readOnlyRootFilesystem: true,
      },
      stdin: true,
      stdinOnce: true,
      tty: true,
    },
  ],
};

const template = { metadata: { annotations: { 'kube-api-conformance/template': 'yes' } }, spec: podSpec };

/** Only pods of a job can have a deadline. */
const ending = merge(template, { spec: { activeDeadlineSeconds: 6001 } });

const specs: Readonly<Record<string, JsonObject>> = {
  jobs: { parallelism: 0, completions: 2, activeDeadlineSeconds: 6_000_000_000, template: ending },
  daemonsets: { template },
  deployments: {
    replicas: 0,
    minReadySeconds: 3,
    revisionHistoryLimit: 4,
    paused: true,
    progressDeadlineSeconds: 60,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 2 } },
    template,
  },
  replicasets: { replicas: 0, minReadySeconds: 3, template },
  ingresses: {
    backend: { serviceName: 'default-service', servicePort: 8080 },
    tls: [{ hosts: ['conformance.example.com'], secretName: 'some-secret' }],
    rules: [
      {
        host: 'conformance.example.com',
        http: { paths: [{ path: '/a', backend: { serviceName: 'some-service', servicePort: 'web' } }] },
      },
    ],
  },
  horizontalpodautoscalers: { minReplicas: 2, maxReplicas: 5 },
};

/** Returns the additional fields of a wide object, to be merged into the sample of a resource. */
export function widthOf({ plural, groupVersion }: Resource): JsonObject {
  const spec = specs[plural];
  if (spec === undefined) return { metadata };
  const utilization =
    plural === 'horizontalpodautoscalers' && groupVersion.group === 'autoscaling'
      ? { targetCPUUtilizationPercentage: 70 }
      : {};
  return { metadata, spec: { ...spec, ...utilization } };
}

/** Returns the part of `sent` that the target has kept. */
export function keptOf(sent: Json, kept: Json | undefined): Json | undefined {
  if (Array.isArray(sent)) {
    if (!Array.isArray(kept) || kept.length !== sent.length) return undefined;
    const items = sent.map((item, index) => keptOf(item, kept[index]));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isObject(sent)) return sent === kept ? sent : undefined;
  if (!isObject(kept)) return undefined;
  const members = Object.entries(sent).map(([key, value]) => [key, keptOf(value ?? null, kept[key])] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Returns the fields of one object with the values of another: selectors differ between objects. */
export function fieldsOf(fields: Json, values: Json | undefined): Json {
  if (Array.isArray(fields) && Array.isArray(values))
    return fields.map((field, index) => fieldsOf(field, values[index]));
  if (!isObject(fields) || !isObject(values)) return values ?? fields;
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, fieldsOf(field ?? null, values[key])]));
}
