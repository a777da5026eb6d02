// Sample of an extensions/v1beta1 HorizontalPodAutoscaler.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: {
    spec: {
      scaleRef: { kind: 'ReplicationController', name: 'some-controller', apiVersion: 'v1', subresource: 'scale' },
      minReplicas: 1,
      maxReplicas: 3,
      cpuUtilization: { targetPercentage: 50 },
    },
  },
  status: { currentReplicas: 1, desiredReplicas: 2 },
};
