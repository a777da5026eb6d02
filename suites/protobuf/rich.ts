// Objects with a value of every type that protobuf encodes in a special way.
import type { Resource } from '../../matrix/api/index.js';
import type { JsonObject } from '../client/json.js';
import { noNode } from '../objects/samples/sample.js';

const metadata = {
  annotations: { 'kube-api-conformance/text': 'Grüße, 世界 🙂 "quoted"\n', 'kube-api-conformance/empty': '' },
};

const podSpec: JsonObject = {
  nodeSelector: noNode,
  terminationGracePeriodSeconds: 7,
  securityContext: { runAsUser: 1000, supplementalGroups: [1, 70_000] },
  volumes: [
    { name: 'scratch', emptyDir: { medium: 'Memory' } },
    { name: 'settings', configMap: { name: 'some-settings', items: [{ key: 'a', path: 'b' }], defaultMode: 256 } },
    { name: 'about', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
  ],
  containers: [
    {
      name: 'main',
      image: 'registry.example/conformance:1',
      command: ['sleep', ''],
      ports: [{ name: 'web', containerPort: 8080, protocol: 'UDP' }],
      env: [
        { name: 'PLAIN', value: 'a=b' },
        { name: 'LIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
        { name: 'SETTING', valueFrom: { configMapKeyRef: { name: 'some-settings', key: 'a' } } },
      ],
      resources: { limits: { cpu: '250m', memory: '64Mi' }, requests: { cpu: '100m', memory: '1e6' } },
      livenessProbe: {
        httpGet: { path: '/', port: 'web', httpHeaders: [{ name: 'X', value: 'y' }] },
        periodSeconds: 3,
      },
      readinessProbe: { tcpSocket: { port: 8080 } },
      lifecycle: { preStop: { exec: { command: ['true'] } } },
      securityContext: { privileged: false, capabilities: { drop: ['KILL'] } },
      volumeMounts: [{ name: 'scratch', mountPath: '/scratch', readOnly: true }],
    },
  ],
};

const specs: Readonly<Record<string, JsonObject>> = {
  jobs: { parallelism: 0, completions: 2, activeDeadlineSeconds: 6_000_000_000, template: { spec: podSpec } },
  daemonsets: { template: { spec: podSpec } },
  deployments: {
    replicas: 0,
    paused: true,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
    template: { spec: podSpec },
  },
  replicasets: { replicas: 0, template: { spec: podSpec } },
  ingresses: {
    tls: [{ hosts: ['conformance.example.com'], secretName: 'some-secret' }],
    rules: [
      {
        host: 'conformance.example.com',
        http: {
          paths: [
            { path: '/a', backend: { serviceName: 'some-service', servicePort: 'web' } },
            { path: '/b', backend: { serviceName: 'some-service', servicePort: 80 } },
          ],
        },
      },
    ],
  },
};

/** Returns the additional fields of a rich object, to be merged into the sample of a resource. */
export function richnessOf({ plural }: Resource): JsonObject {
  const spec = specs[plural];
  return spec === undefined ? { metadata } : { metadata, spec };
}
