// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const metaV1 = {
  Condition:
    'type 1 string required; status 2 string required; observedGeneration 3 int64; lastTransitionTime 4 time required; reason 5 string required; message 6 string required',
  DeleteOptions:
    'gracePeriodSeconds 1 int64 presence; preconditions 2 Preconditions; orphanDependents 3 boolean presence; propagationPolicy 4 string presence; dryRun 5 []string; ignoreStoreReadErrorWithClusterBreakingPotential 6 boolean presence',
  FieldSelectorRequirement: 'key 1 string required; operator 2 string required; values 3 []string',
  LabelSelector: 'matchLabels 1 {}string; matchExpressions 2 []LabelSelectorRequirement',
  LabelSelectorRequirement: 'key 1 string required; operator 2 string required; values 3 []string',
  ManagedFieldsEntry:
    'manager 1 string; operation 2 string; apiVersion 3 string; time 4 time presence; fieldsType 6 string; fieldsV1 7 raw; subresource 8 string',
  ObjectMeta:
    'name 1 string; generateName 2 string; namespace 3 string; selfLink 4 string; uid 5 string; resourceVersion 6 string; generation 7 int64; creationTimestamp 8 time presence; deletionTimestamp 9 time presence; deletionGracePeriodSeconds 10 int64 presence; labels 11 {}string; annotations 12 {}string; ownerReferences 13 []OwnerReference merge=uid; finalizers 14 []string merge; managedFields 17 []ManagedFieldsEntry',
  OwnerReference:
    'apiVersion 5 string required; kind 1 string required; name 3 string required; uid 4 string required; controller 6 boolean presence; blockOwnerDeletion 7 boolean presence',
  Preconditions: 'uid 1 string presence; resourceVersion 2 string presence',
} as const;
