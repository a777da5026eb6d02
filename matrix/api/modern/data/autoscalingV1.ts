// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const autoscalingV1 = {
  'autoscaling.v1.CrossVersionObjectReference': 'kind 1 string required; name 2 string required; apiVersion 3 string',
  'autoscaling.v1.HorizontalPodAutoscaler':
    'metadata 1 ObjectMeta; spec 2 autoscaling.v1.HorizontalPodAutoscalerSpec required; status 3 autoscaling.v1.HorizontalPodAutoscalerStatus',
  'autoscaling.v1.HorizontalPodAutoscalerSpec':
    'scaleTargetRef 1 autoscaling.v1.CrossVersionObjectReference required; minReplicas 2 int32 presence; maxReplicas 3 int32 required; targetCPUUtilizationPercentage 4 int32 presence',
  'autoscaling.v1.HorizontalPodAutoscalerStatus':
    'observedGeneration 1 int64 presence; lastScaleTime 2 time presence; currentReplicas 3 int32 required; desiredReplicas 4 int32 required; currentCPUUtilizationPercentage 5 int32 presence',
  'autoscaling.v1.Scale': 'metadata 1 ObjectMeta; spec 2 autoscaling.v1.ScaleSpec; status 3 autoscaling.v1.ScaleStatus',
  'autoscaling.v1.ScaleSpec': 'replicas 1 int32',
  'autoscaling.v1.ScaleStatus': 'replicas 1 int32 required; selector 2 string',
} as const;
