// Containers: ports, environment, resources, probes, hooks and security context.
import { field, inline, list, map } from './field.js';

export const containerTypes = {
  Container: {
    name: field('string', 1, { required: true }),
    image: field('string', 2),
    command: list('string', 3),
    args: list('string', 4),
    workingDir: field('string', 5),
    ports: list('ContainerPort', 6, { mergeKey: 'containerPort', strategy: 'merge' }),
    env: list('EnvVar', 7, { mergeKey: 'name', strategy: 'merge' }),
    resources: field('ResourceRequirements', 8),
    volumeMounts: list('VolumeMount', 9, { mergeKey: 'mountPath', strategy: 'merge' }),
    livenessProbe: field('Probe', 10),
    readinessProbe: field('Probe', 11),
    lifecycle: field('Lifecycle', 12),
    terminationMessagePath: field('string', 13),
    imagePullPolicy: field('string', 14),
    securityContext: field('SecurityContext', 15),
    stdin: field('boolean', 16),
    stdinOnce: field('boolean', 17),
    tty: field('boolean', 18),
  },
  ContainerPort: {
    name: field('string', 1),
    hostPort: field('int32', 2),
    containerPort: field('int32', 3, { required: true }),
    protocol: field('string', 4),
    hostIP: field('string', 5),
  },
  EnvVar: {
    name: field('string', 1, { required: true }),
    value: field('string', 2),
    valueFrom: field('EnvVarSource', 3),
  },
  EnvVarSource: {
    fieldRef: field('ObjectFieldSelector', 1),
    resourceFieldRef: field('ResourceFieldSelector', 2),
    configMapKeyRef: field('ConfigMapKeySelector', 3),
    secretKeyRef: field('SecretKeySelector', 4),
  },
  ObjectFieldSelector: {
    apiVersion: field('string', 1),
    fieldPath: field('string', 2, { required: true }),
  },
  ResourceFieldSelector: {
    containerName: field('string', 1),
    resource: field('string', 2, { required: true }),
    divisor: field('quantity', 3),
  },
  ConfigMapKeySelector: {
    localObjectReference: inline('LocalObjectReference', 1),
    key: field('string', 2, { required: true }),
  },
  SecretKeySelector: {
    localObjectReference: inline('LocalObjectReference', 1),
    key: field('string', 2, { required: true }),
  },
  ResourceRequirements: {
    limits: map('quantity', 1),
    requests: map('quantity', 2),
  },
  VolumeMount: {
    name: field('string', 1, { required: true }),
    readOnly: field('boolean', 2),
    mountPath: field('string', 3, { required: true }),
    subPath: field('string', 4),
  },
  Probe: {
    handler: inline('Handler', 1),
    initialDelaySeconds: field('int32', 2),
    timeoutSeconds: field('int32', 3),
    periodSeconds: field('int32', 4),
    successThreshold: field('int32', 5),
    failureThreshold: field('int32', 6),
  },
  Handler: {
    exec: field('ExecAction', 1),
    httpGet: field('HTTPGetAction', 2),
    tcpSocket: field('TCPSocketAction', 3),
  },
  ExecAction: {
    command: list('string', 1),
  },
  HTTPGetAction: {
    path: field('string', 1),
    port: field('intOrString', 2, { required: true }),
    host: field('string', 3),
    scheme: field('string', 4),
    httpHeaders: list('HTTPHeader', 5),
  },
  HTTPHeader: {
    name: field('string', 1, { required: true }),
    value: field('string', 2, { required: true }),
  },
  TCPSocketAction: {
    port: field('intOrString', 1, { required: true }),
  },
  Lifecycle: {
    postStart: field('Handler', 1),
    preStop: field('Handler', 2),
  },
  SecurityContext: {
    capabilities: field('Capabilities', 1),
    privileged: field('boolean', 2, { presence: true }),
    seLinuxOptions: field('SELinuxOptions', 3),
    runAsUser: field('int64', 4, { presence: true }),
    runAsNonRoot: field('boolean', 5, { presence: true }),
    readOnlyRootFilesystem: field('boolean', 6, { presence: true }),
  },
  Capabilities: {
    add: list('string', 1),
    drop: list('string', 2),
  },
  SELinuxOptions: {
    user: field('string', 1),
    role: field('string', 2),
    type: field('string', 3),
    level: field('string', 4),
  },
};
