// Workloads: ReplicationController, ReplicaSet, Deployment, DaemonSet.
import { field, list, map } from './field.js';

export const workloadTypes = {
  ReplicationController: {
    metadata: field('ObjectMeta', 1),
    spec: field('ReplicationControllerSpec', 2),
    status: field('ReplicationControllerStatus', 3),
  },
  ReplicationControllerSpec: {
    replicas: field('int32', 1, { presence: true }),
    minReadySeconds: field('int32', 4),
    selector: map('string', 2),
    template: field('PodTemplateSpec', 3),
  },
  ReplicationControllerStatus: {
    replicas: field('int32', 1, { required: true }),
    fullyLabeledReplicas: field('int32', 2),
    readyReplicas: field('int32', 4),
    availableReplicas: field('int32', 5),
    observedGeneration: field('int64', 3),
    conditions: list('ReplicationControllerCondition', 6, { mergeKey: 'type', strategy: 'merge' }),
  },
  ReplicationControllerCondition: {
    type: field('string', 1, { required: true }),
    status: field('string', 2, { required: true }),
    lastTransitionTime: field('time', 3),
    reason: field('string', 4),
    message: field('string', 5),
  },
  ReplicaSet: {
    metadata: field('ObjectMeta', 1),
    spec: field('ReplicaSetSpec', 2),
    status: field('ReplicaSetStatus', 3),
  },
  ReplicaSetSpec: {
    replicas: field('int32', 1, { presence: true }),
    minReadySeconds: field('int32', 4),
    selector: field('LabelSelector', 2),
    template: field('PodTemplateSpec', 3),
  },
  ReplicaSetStatus: {
    replicas: field('int32', 1, { required: true }),
    fullyLabeledReplicas: field('int32', 2),
    readyReplicas: field('int32', 4),
    availableReplicas: field('int32', 5),
    observedGeneration: field('int64', 3),
    conditions: list('ReplicaSetCondition', 6, { mergeKey: 'type', strategy: 'merge' }),
  },
  ReplicaSetCondition: {
    type: field('string', 1, { required: true }),
    status: field('string', 2, { required: true }),
    lastTransitionTime: field('time', 3),
    reason: field('string', 4),
    message: field('string', 5),
  },
  Deployment: {
    metadata: field('ObjectMeta', 1),
    spec: field('DeploymentSpec', 2),
    status: field('DeploymentStatus', 3),
  },
  DeploymentSpec: {
    replicas: field('int32', 1, { presence: true }),
    selector: field('LabelSelector', 2),
    template: field('PodTemplateSpec', 3, { required: true }),
    strategy: field('DeploymentStrategy', 4, { strategy: 'retainKeys' }),
    minReadySeconds: field('int32', 5),
    revisionHistoryLimit: field('int32', 6, { presence: true }),
    paused: field('boolean', 7),
    rollbackTo: field('RollbackConfig', 8),
    progressDeadlineSeconds: field('int32', 9, { presence: true }),
  },
  DeploymentStrategy: {
    type: field('string', 1),
    rollingUpdate: field('RollingUpdateDeployment', 2),
  },
  RollingUpdateDeployment: {
    maxUnavailable: field('intOrString', 1),
    maxSurge: field('intOrString', 2),
  },
  DeploymentStatus: {
    observedGeneration: field('int64', 1),
    replicas: field('int32', 2),
    updatedReplicas: field('int32', 3),
    availableReplicas: field('int32', 4),
    unavailableReplicas: field('int32', 5),
    conditions: list('DeploymentCondition', 6, { mergeKey: 'type', strategy: 'merge' }),
  },
  DeploymentCondition: {
    type: field('string', 1, { required: true }),
    status: field('string', 2, { required: true }),
    lastUpdateTime: field('time', 6),
    lastTransitionTime: field('time', 7),
    reason: field('string', 4),
    message: field('string', 5),
  },
  DeploymentRollback: {
    name: field('string', 1, { required: true }),
    updatedAnnotations: map('string', 2),
    rollbackTo: field('RollbackConfig', 3, { required: true }),
  },
  RollbackConfig: {
    revision: field('int64', 1),
  },
  DaemonSet: {
    metadata: field('ObjectMeta', 1),
    spec: field('DaemonSetSpec', 2),
    status: field('DaemonSetStatus', 3),
  },
  DaemonSetSpec: {
    selector: field('LabelSelector', 1),
    template: field('PodTemplateSpec', 2, { required: true }),
  },
  DaemonSetStatus: {
    currentNumberScheduled: field('int32', 1, { required: true }),
    numberMisscheduled: field('int32', 2, { required: true }),
    desiredNumberScheduled: field('int32', 3, { required: true }),
    numberReady: field('int32', 4, { required: true }),
  },
};
