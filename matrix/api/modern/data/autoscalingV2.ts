// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const autoscalingV2 = {
  'autoscaling.v2.ContainerResourceMetricSource':
    'name 1 string required; target 2 autoscaling.v2.MetricTarget required; container 3 string required',
  'autoscaling.v2.ContainerResourceMetricStatus':
    'name 1 string required; current 2 autoscaling.v2.MetricValueStatus required; container 3 string required',
  'autoscaling.v2.CrossVersionObjectReference': 'kind 1 string required; name 2 string required; apiVersion 3 string',
  'autoscaling.v2.ExternalMetricSource':
    'metric 1 autoscaling.v2.MetricIdentifier required; target 2 autoscaling.v2.MetricTarget required',
  'autoscaling.v2.ExternalMetricStatus':
    'metric 1 autoscaling.v2.MetricIdentifier required; current 2 autoscaling.v2.MetricValueStatus required',
  'autoscaling.v2.HPAScalingPolicy': 'type 1 string required; value 2 int32 required; periodSeconds 3 int32 required',
  'autoscaling.v2.HPAScalingRules':
    'stabilizationWindowSeconds 3 int32 presence; selectPolicy 1 string presence; policies 2 []autoscaling.v2.HPAScalingPolicy; tolerance 4 quantity',
  'autoscaling.v2.HorizontalPodAutoscaler':
    'metadata 1 ObjectMeta; spec 2 autoscaling.v2.HorizontalPodAutoscalerSpec required; status 3 autoscaling.v2.HorizontalPodAutoscalerStatus',
  'autoscaling.v2.HorizontalPodAutoscalerBehavior':
    'scaleUp 1 autoscaling.v2.HPAScalingRules; scaleDown 2 autoscaling.v2.HPAScalingRules',
  'autoscaling.v2.HorizontalPodAutoscalerCondition':
    'type 1 string required; status 2 string required; lastTransitionTime 3 time; reason 4 string; message 5 string',
  'autoscaling.v2.HorizontalPodAutoscalerSpec':
    'scaleTargetRef 1 autoscaling.v2.CrossVersionObjectReference required; minReplicas 2 int32 presence; maxReplicas 3 int32 required; metrics 4 []autoscaling.v2.MetricSpec; behavior 5 autoscaling.v2.HorizontalPodAutoscalerBehavior',
  'autoscaling.v2.HorizontalPodAutoscalerStatus':
    'observedGeneration 1 int64 presence; lastScaleTime 2 time presence; currentReplicas 3 int32; desiredReplicas 4 int32 required; currentMetrics 5 []autoscaling.v2.MetricStatus; conditions 6 []autoscaling.v2.HorizontalPodAutoscalerCondition merge=type',
  'autoscaling.v2.MetricIdentifier': 'name 1 string required; selector 2 LabelSelector',
  'autoscaling.v2.MetricSpec':
    'type 1 string required; object 2 autoscaling.v2.ObjectMetricSource; pods 3 autoscaling.v2.PodsMetricSource; resource 4 autoscaling.v2.ResourceMetricSource; containerResource 7 autoscaling.v2.ContainerResourceMetricSource; external 5 autoscaling.v2.ExternalMetricSource',
  'autoscaling.v2.MetricStatus':
    'type 1 string required; object 2 autoscaling.v2.ObjectMetricStatus; pods 3 autoscaling.v2.PodsMetricStatus; resource 4 autoscaling.v2.ResourceMetricStatus; containerResource 7 autoscaling.v2.ContainerResourceMetricStatus; external 5 autoscaling.v2.ExternalMetricStatus',
  'autoscaling.v2.MetricTarget':
    'type 1 string required; value 2 quantity; averageValue 3 quantity; averageUtilization 4 int32 presence',
  'autoscaling.v2.MetricValueStatus': 'value 1 quantity; averageValue 2 quantity; averageUtilization 3 int32 presence',
  'autoscaling.v2.ObjectMetricSource':
    'describedObject 1 autoscaling.v2.CrossVersionObjectReference required; target 2 autoscaling.v2.MetricTarget required; metric 3 autoscaling.v2.MetricIdentifier required',
  'autoscaling.v2.ObjectMetricStatus':
    'metric 1 autoscaling.v2.MetricIdentifier required; current 2 autoscaling.v2.MetricValueStatus required; describedObject 3 autoscaling.v2.CrossVersionObjectReference required',
  'autoscaling.v2.PodsMetricSource':
    'metric 1 autoscaling.v2.MetricIdentifier required; target 2 autoscaling.v2.MetricTarget required',
  'autoscaling.v2.PodsMetricStatus':
    'metric 1 autoscaling.v2.MetricIdentifier required; current 2 autoscaling.v2.MetricValueStatus required',
  'autoscaling.v2.ResourceMetricSource': 'name 1 string required; target 2 autoscaling.v2.MetricTarget required',
  'autoscaling.v2.ResourceMetricStatus': 'name 1 string required; current 2 autoscaling.v2.MetricValueStatus required',
} as const;
