// Specs of pods, with a value in every field of Kubernetes 1.5.
import type { JsonObject } from '../../client/json.js';
import { greatestExact, manyVariables, plainArguments } from './values.js';
import { otherVolumes, plainVolumes } from './volumes.js';

const main = {
  name: 'main',
  image: 'registry.example/conformance:1',
  command: ['sleep', '3600'],
  workingDir: '/work',
  ports: [{ name: 'web', containerPort: 8080, protocol: 'UDP' }],
  env: [
    ...manyVariables.slice(3),
    { name: 'FIELD', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    {
      name: 'LIMIT',
      valueFrom: { resourceFieldRef: { containerName: 'main', resource: 'limits.memory', divisor: '1Mi' } },
    },
    { name: 'SETTING', valueFrom: { configMapKeyRef: { name: 'some-settings', key: 'setting' } } },
    { name: 'SECRET', valueFrom: { secretKeyRef: { name: 'some-secret', key: 'secret' } } },
  ],
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
  // The only policy that the admission of some clusters leaves.
  imagePullPolicy: 'Always',
  stdin: true,
  stdinOnce: true,
  tty: true,
} satisfies JsonObject;

/**
 * A spec whose lists keep their order, whose arguments stay apart, and whose numbers need 64 bits, with every field that
 * any cluster takes.
 */
export const richPodSpec = {
  dnsPolicy: 'Default',
  hostname: 'some-host',
  subdomain: 'some-domain',
  imagePullSecrets: [{ name: 'other-registry' }, { name: 'some-registry' }],
  volumes: plainVolumes,
  containers: [
    {
      ...{ name: 'second', image: 'registry.example/conformance:2' },
      ...{ command: ['/bin/echo', '-n', ''], args: plainArguments, env: manyVariables },
      livenessProbe: { exec: { command: ['alive', ''] }, periodSeconds: 16 },
      lifecycle: { postStart: { tcpSocket: { port: 'named' } } },
    },
    main,
  ],
  terminationGracePeriodSeconds: greatestExact,
} satisfies JsonObject;

/** The same for a template: some clusters set the resources of each Pod. */
const templateSpec = {
  ...richPodSpec,
  containers: richPodSpec.containers.map((container) => ({
    ...container,
    resources: { limits: { cpu: '250m', memory: '64Mi' }, requests: { cpu: '100m', memory: '32Mi' } },
  })),
} satisfies JsonObject;

/** The same with every other field. The policies of many clusters refuse a Pod of it, and none a template for no one. */
export const wholePodSpec = {
  ...templateSpec,
  serviceAccountName: 'some-account',
  serviceAccount: 'some-account',
  nodeName: 'some-node',
  hostNetwork: true,
  hostPID: true,
  hostIPC: true,
  securityContext: {
    runAsUser: 1001,
    runAsNonRoot: true,
    fsGroup: 1002,
    supplementalGroups: [70_000, 1003],
    seLinuxOptions: { user: 'user_u', role: 'role_r', type: 'type_t', level: 's0:c1,c2' },
  },
  volumes: [...otherVolumes, ...plainVolumes],
  containers: templateSpec.containers.map((container) => ({
    ...container,
    // On the network of the host both numbers of a port are the same.
    ...(container.name === 'main' && { ports: [{ ...main.ports[0], hostPort: 8080, hostIP: '192.0.2.7' }] }),
    securityContext: {
      capabilities: { add: ['CHOWN'], drop: ['MKNOD', 'KILL'] },
      privileged: true,
      seLinuxOptions: { user: 'other_u', role: 'other_r', type: 'other_t', level: 's1' },
      runAsUser: 1004,
      runAsNonRoot: true,
      readOnlyRootFilesystem: true,
    },
  })),
} satisfies JsonObject;

/** The spec of a template with each zero and each false that is not the default, which a careless server takes for an absent value. */
const zerosPodSpec = {
  ...templateSpec,
  terminationGracePeriodSeconds: 0,
  securityContext: { runAsUser: 0, runAsNonRoot: false, fsGroup: 0 },
  containers: templateSpec.containers.map((container) => ({
    ...container,
    securityContext: { privileged: false, runAsUser: 0, readOnlyRootFilesystem: false },
  })),
  volumes: [
    ...plainVolumes,
    {
      name: 'unreadable',
      secret: { secretName: 'some-secret', defaultMode: 0, items: [{ key: 'some', path: 'some', mode: 0 }] },
    },
  ],
} satisfies JsonObject;

const replacedMetadata = { annotations: { 'conformance.example/replaced': 'yes' } };

/** What a replace changes in the template of a workload that wants no pods. */
export const replacedTemplate = { metadata: replacedMetadata, spec: templateSpec } satisfies JsonObject;

/** The same for a workload whose template is full of zeros. */
export const zerosTemplate = { metadata: replacedMetadata, spec: zerosPodSpec } satisfies JsonObject;
