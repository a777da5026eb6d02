// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const policyV1 = {
  'policy.v1.Eviction': 'metadata 1 ObjectMeta; deleteOptions 2 DeleteOptions',
  'policy.v1.PodDisruptionBudget':
    'metadata 1 ObjectMeta; spec 2 policy.v1.PodDisruptionBudgetSpec; status 3 policy.v1.PodDisruptionBudgetStatus',
  'policy.v1.PodDisruptionBudgetSpec':
    'minAvailable 1 intOrString; selector 2 LabelSelector replace; maxUnavailable 3 intOrString; unhealthyPodEvictionPolicy 4 string presence',
  'policy.v1.PodDisruptionBudgetStatus':
    'observedGeneration 1 int64; disruptedPods 2 {}time; disruptionsAllowed 3 int32 presence; currentHealthy 4 int32 presence; desiredHealthy 5 int32 presence; expectedPods 6 int32 presence; conditions 7 []Condition merge=type',
} as const;
