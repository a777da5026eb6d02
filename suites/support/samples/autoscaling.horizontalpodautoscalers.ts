// Sample of an autoscaling/v1 HorizontalPodAutoscaler.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    spec: {
      scaleTargetRef: { apiVersion: 'v1', kind: 'ReplicationController', name: 'some-controller' },
      minReplicas: 1,
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 50,
    },
  },
  status: { currentReplicas: 1, desiredReplicas: 2 },
};
