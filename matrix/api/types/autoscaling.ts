// HorizontalPodAutoscaler and Scale, each in both versions.
import { field, map } from './field.js';

export const autoscalingTypes = {
  HorizontalPodAutoscaler: {
    metadata: field('ObjectMeta', 1),
    spec: field('HorizontalPodAutoscalerSpec', 2),
    status: field('HorizontalPodAutoscalerStatus', 3),
  },
  HorizontalPodAutoscalerSpec: {
    scaleTargetRef: field('CrossVersionObjectReference', 1, { required: true }),
    minReplicas: field('int32', 2, { presence: true }),
    maxReplicas: field('int32', 3, { required: true }),
    targetCPUUtilizationPercentage: field('int32', 4, { presence: true }),
  },
  CrossVersionObjectReference: {
    kind: field('string', 1, { required: true }),
    name: field('string', 2, { required: true }),
    apiVersion: field('string', 3),
  },
  HorizontalPodAutoscalerStatus: {
    observedGeneration: field('int64', 1, { presence: true }),
    lastScaleTime: field('time', 2, { presence: true }),
    currentReplicas: field('int32', 3, { required: true }),
    desiredReplicas: field('int32', 4, { required: true }),
    currentCPUUtilizationPercentage: field('int32', 5, { presence: true }),
  },
  Scale: {
    metadata: field('ObjectMeta', 1),
    spec: field('ScaleSpec', 2),
    status: field('ScaleStatus', 3),
  },
  ScaleSpec: {
    replicas: field('int32', 1),
  },
  ScaleStatus: {
    replicas: field('int32', 1, { required: true }),
    selector: field('string', 2),
  },
  'extensions.HorizontalPodAutoscaler': {
    metadata: field('ObjectMeta', 1),
    spec: field('extensions.HorizontalPodAutoscalerSpec', 2),
    status: field('extensions.HorizontalPodAutoscalerStatus', 3),
  },
  'extensions.HorizontalPodAutoscalerSpec': {
    scaleRef: field('SubresourceReference', 1, { required: true }),
    minReplicas: field('int32', 2, { presence: true }),
    maxReplicas: field('int32', 3, { required: true }),
    cpuUtilization: field('CPUTargetUtilization', 4),
  },
  SubresourceReference: {
    kind: field('string', 1),
    name: field('string', 2),
    apiVersion: field('string', 3),
    subresource: field('string', 4),
  },
  CPUTargetUtilization: {
    targetPercentage: field('int32', 1, { required: true }),
  },
  'extensions.HorizontalPodAutoscalerStatus': {
    observedGeneration: field('int64', 1, { presence: true }),
    lastScaleTime: field('time', 2, { presence: true }),
    currentReplicas: field('int32', 3, { required: true }),
    desiredReplicas: field('int32', 4, { required: true }),
    currentCPUUtilizationPercentage: field('int32', 5, { presence: true }),
  },
  'extensions.Scale': {
    metadata: field('ObjectMeta', 1),
    spec: field('extensions.ScaleSpec', 2),
    status: field('extensions.ScaleStatus', 3),
  },
  'extensions.ScaleSpec': {
    replicas: field('int32', 1),
  },
  'extensions.ScaleStatus': {
    replicas: field('int32', 1, { required: true }),
    selector: map('string', 2),
    targetSelector: field('string', 3),
  },
};
