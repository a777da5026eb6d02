// Defaults of single fields in the kinds that came after the interface.
import type { FieldDefaults } from '../../schema/defaults.js';

/** A deployment of apps/v1 replaces a quarter of its pods at a time, one of extensions/v1beta1 one pod. */
const quarters = { maxUnavailable: '25%', maxSurge: '25%' };

export const laterDefaults: FieldDefaults = {
  'apps.v1.DaemonSetSpec': {
    updateStrategy: () => ({}),
    revisionHistoryLimit: 10,
  },
  'apps.v1.DeploymentSpec': {
    replicas: 1,
    strategy: () => ({ type: 'RollingUpdate', rollingUpdate: { ...quarters } }),
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  },
  'apps.v1.DeploymentStrategy': {
    type: 'RollingUpdate',
    rollingUpdate: ({ type }) => (type === 'RollingUpdate' ? { ...quarters } : undefined),
  },
  'apps.v1.RollingUpdateDeployment': quarters,
  'apps.v1.ReplicaSetSpec': { replicas: 1 },
  'apps.v1.StatefulSetSpec': {
    replicas: 1,
    podManagementPolicy: 'OrderedReady',
    updateStrategy: () => ({ type: 'RollingUpdate', rollingUpdate: { partition: 0 } }),
    revisionHistoryLimit: 10,
  },
  'autoscaling.v2.HorizontalPodAutoscalerSpec': {
    minReplicas: 1,
    metrics: () => [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
    ],
  },
  'batch.v1.CronJobSpec': {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  },
  'networking.v1.NetworkPolicyPort': { protocol: 'TCP' },
  'rbac.v1.Subject': { apiGroup: ({ kind }) => (kind === 'ServiceAccount' ? undefined : 'rbac.authorization.k8s.io') },
};
