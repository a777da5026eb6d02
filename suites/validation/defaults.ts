// Defaults that clients see: objects without optional fields, and the values in the response to a create.

import type { Json, JsonObject } from '../client/json.js';
import { noNode } from '../objects/samples/sample.js';
import type { defaultedBodies } from '../requirements/index.js';

/** The fields of the request, and the expected values at their paths. */
export interface Defaulted {
  readonly input: JsonObject;
  readonly expected: Readonly<Record<string, Json>>;
  /** A field that early servers drop: what is expected in it counts where a server keeps it. */
  readonly younger?: string;
}

type Defaults = {
  readonly [R in keyof typeof defaultedBodies]: Readonly<Record<(typeof defaultedBodies)[R][number], Defaulted>>;
};

const main = { name: 'main', image: 'registry.example/conformance:1' };
const second = { ...main, name: 'second' };
const labels = { app: 'conformance' };
const template = { metadata: { labels }, spec: { nodeSelector: noNode, containers: [main] } };
const pod = (...containers: readonly JsonObject[]): JsonObject => ({ spec: { nodeSelector: noNode, containers } });

/** Returns the defaults of a pod's spec, at the path of the spec. */
const podDefaults = (path: string, restartPolicy = 'Always'): Readonly<Record<string, Json>> => ({
  [`${path}.restartPolicy`]: restartPolicy,
  [`${path}.terminationGracePeriodSeconds`]: 30,
  [`${path}.dnsPolicy`]: 'ClusterFirst',
  [`${path}.securityContext`]: {},
  [`${path}.containers[0].resources`]: {},
  [`${path}.containers[0].terminationMessagePath`]: '/dev/termination-log',
  [`${path}.containers[0].imagePullPolicy`]: 'IfNotPresent',
});
const inTemplate: Defaulted = { input: { spec: { template } }, expected: podDefaults('spec.template.spec') };
const selecting: Defaulted = {
  input: { spec: { template } },
  expected: { 'spec.replicas': 1, 'spec.selector.matchLabels': labels },
};
const scaling = { kind: 'ReplicationController', name: 'some-controller' };

export const defaults: Defaults = {
  'core/pods': {
    'a bare container': {
      input: { spec: { ...Object(pod(main).spec), initContainers: [{ ...main, name: 'earlier' }] } },
      expected: {
        ...podDefaults('spec'),
        'spec.initContainers[0].terminationMessagePath': '/dev/termination-log',
        'spec.initContainers[0].imagePullPolicy': 'IfNotPresent',
        'status.phase': 'Pending',
      },
      younger: 'spec.initContainers',
    },
    probes: {
      input: pod(
        { ...main, livenessProbe: { httpGet: { port: 80 } } },
        { ...second, readinessProbe: { tcpSocket: { port: 80 } } },
      ),
      expected: {
        'spec.containers[0].livenessProbe.httpGet.path': '/',
        'spec.containers[0].livenessProbe.httpGet.scheme': 'HTTP',
        'spec.containers[0].livenessProbe.timeoutSeconds': 1,
        'spec.containers[0].livenessProbe.periodSeconds': 10,
        'spec.containers[1].readinessProbe.successThreshold': 1,
        'spec.containers[1].readinessProbe.failureThreshold': 3,
      },
    },
    ports: {
      input: pod({ ...main, ports: [{ containerPort: 80 }, { containerPort: 81 }] }),
      expected: { 'spec.containers[0].ports[0].protocol': 'TCP', 'spec.containers[0].ports[1].protocol': 'TCP' },
    },
    volumes: {
      input: {
        spec: {
          ...(pod(main).spec as JsonObject),
          volumes: [
            { name: 'empty' },
            { name: 'secret', secret: { secretName: 'some' } },
            { name: 'config', configMap: { name: 'some' } },
          ],
        },
      },
      expected: {
        'spec.volumes[0].emptyDir': {},
        'spec.volumes[1].secret.defaultMode': 420,
        'spec.volumes[2].configMap.defaultMode': 420,
      },
    },
    'limits without requests': {
      input: pod(
        { ...main, resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } } },
        { ...second, resources: { limits: { cpu: '2' } } },
      ),
      expected: {
        'spec.containers[0].resources.requests.cpu': '500m',
        'spec.containers[0].resources.requests.memory': '1Gi',
        'spec.containers[1].resources.requests.cpu': '2',
      },
    },
    'image tags': {
      input: pod(
        { name: 'none', image: 'registry.example/conformance' },
        { name: 'latest', image: 'registry.example/conformance:latest' },
        { name: 'one', image: 'registry.example/conformance:1' },
        { name: 'port', image: 'registry.example:5000/conformance' },
        { name: 'digest', image: `registry.example:5000/conformance@sha256:${'0123456789abcdef'.repeat(4)}` },
      ),
      expected: {
        'spec.containers[0].imagePullPolicy': 'Always',
        'spec.containers[1].imagePullPolicy': 'Always',
        'spec.containers[2].imagePullPolicy': 'IfNotPresent',
        'spec.containers[3].imagePullPolicy': 'Always',
        'spec.containers[4].imagePullPolicy': 'IfNotPresent',
      },
    },
  },
  'core/podtemplates': { 'a bare container': { input: { template }, expected: podDefaults('template.spec') } },
  'core/replicationcontrollers': {
    'replicas and selector': {
      input: { spec: { template } },
      expected: { 'spec.replicas': 1, 'spec.selector': labels },
    },
    'the template': inTemplate,
  },
  'core/services': {
    'a bare port': {
      input: { spec: { selector: labels, ports: [{ port: 80 }] } },
      expected: {
        'spec.type': 'ClusterIP',
        'spec.sessionAffinity': 'None',
        'spec.ports[0].protocol': 'TCP',
        'spec.ports[0].targetPort': 80,
        'status.loadBalancer': {},
      },
    },
    'a node port': {
      input: { spec: { type: 'NodePort', selector: labels, ports: [{ port: 80, protocol: 'UDP' }] } },
      expected: { 'spec.ports[0].protocol': 'UDP', 'spec.ports[0].targetPort': 80, 'spec.sessionAffinity': 'None' },
    },
    'no selector': {
      input: {
        spec: {
          ports: [
            { name: 'first', port: 80, targetPort: 'http' },
            { name: 'second', port: 81 },
          ],
        },
      },
      expected: {
        'spec.type': 'ClusterIP',
        'spec.ports[0].targetPort': 'http',
        'spec.ports[1].protocol': 'TCP',
        'spec.ports[1].targetPort': 81,
      },
    },
  },
  'core/endpoints': {
    'a bare port': {
      input: {
        subsets: [
          {
            addresses: [{ ip: '192.0.2.10' }],
            ports: [
              { name: 'first', port: 80 },
              { name: 'second', port: 81 },
            ],
          },
        ],
      },
      expected: { 'subsets[0].ports[0].protocol': 'TCP', 'subsets[0].ports[1].protocol': 'TCP' },
    },
  },
  'core/secrets': { 'the type': { input: {}, expected: { type: 'Opaque' } } },
  'core/namespaces': {
    everything: { input: {}, expected: { 'spec.finalizers': ['kubernetes'], 'status.phase': 'Active' } },
  },
  'core/persistentvolumes': {
    'the reclaim policy': {
      input: {
        spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/srv/conformance' } },
      },
      expected: { 'spec.persistentVolumeReclaimPolicy': 'Retain', 'status.phase': 'Pending' },
    },
  },
  'core/persistentvolumeclaims': {
    'the status': {
      input: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      expected: { 'status.phase': 'Pending' },
    },
  },
  'core/limitranges': {
    'defaults of a container': {
      input: {
        spec: {
          limits: [
            { type: 'Pod', max: { cpu: '16' } },
            { type: 'Container', max: { cpu: '8' }, min: { memory: '1Mi' } },
          ],
        },
      },
      expected: {
        'spec.limits[1].default.cpu': '8',
        'spec.limits[1].defaultRequest.cpu': '8',
        'spec.limits[1].defaultRequest.memory': '1Mi',
      },
    },
  },
  'autoscaling/horizontalpodautoscalers': {
    'the least replicas': {
      input: { spec: { scaleTargetRef: scaling, maxReplicas: 3, targetCPUUtilizationPercentage: 50 } },
      expected: { 'spec.minReplicas': 1, 'status.currentReplicas': 0, 'status.desiredReplicas': 0 },
    },
  },
  'batch/jobs': {
    'completions and parallelism': {
      input: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
      expected: {
        'spec.completions': 1,
        'spec.parallelism': 1,
        ...podDefaults('spec.template.spec', 'Never'),
      },
    },
    parallelism: {
      input: { spec: { completions: 3, template: { spec: { ...template.spec, restartPolicy: 'OnFailure' } } } },
      expected: { 'spec.completions': 3, 'spec.parallelism': 1 },
    },
  },
  'extensions/daemonsets': {
    'the selector': { input: { spec: { template } }, expected: { 'spec.selector.matchLabels': labels } },
    'the template': inTemplate,
  },
  'extensions/deployments': {
    'replicas and selector': selecting,
    'the strategy': {
      input: { spec: { template } },
      expected: {
        'spec.strategy.type': 'RollingUpdate',
        'spec.strategy.rollingUpdate.maxUnavailable': 1,
        'spec.strategy.rollingUpdate.maxSurge': 1,
      },
    },
    'a half strategy': {
      input: { spec: { template, strategy: { rollingUpdate: { maxSurge: 2 } } } },
      expected: {
        'spec.strategy.type': 'RollingUpdate',
        'spec.strategy.rollingUpdate.maxUnavailable': 1,
        'spec.strategy.rollingUpdate.maxSurge': 2,
      },
    },
    'the template': inTemplate,
  },
  'extensions/replicasets': { 'replicas and selector': selecting, 'the template': inTemplate },
  'extensions/horizontalpodautoscalers': {
    'the least replicas': {
      input: { spec: { scaleRef: { ...scaling, subresource: 'scale' }, maxReplicas: 3 } },
      expected: { 'spec.minReplicas': 1 },
    },
  },
  'extensions/ingresses': {
    'the status': {
      input: { spec: { backend: { serviceName: 'some-service', servicePort: 80 } } },
      expected: { 'status.loadBalancer': {} },
    },
  },
};
