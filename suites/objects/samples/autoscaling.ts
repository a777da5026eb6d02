// Samples of the group autoscaling: a row for each resource, by its plural.
import type { Sample } from './sample.js';

export const autoscaling = {
  horizontalpodautoscalers: {
    fields: {
      spec: {
        scaleTargetRef: { apiVersion: 'v1', kind: 'ReplicationController', name: 'some-controller' },
        minReplicas: 1,
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 50,
      },
    },
    status: { currentReplicas: 1, desiredReplicas: 2 },
  },
} satisfies Readonly<Record<string, Sample>>;
