// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const flowcontrolV1 = {
  'flowcontrol.v1.ExemptPriorityLevelConfiguration':
    'nominalConcurrencyShares 1 int32 presence; lendablePercent 2 int32 presence',
  'flowcontrol.v1.FlowDistinguisherMethod': 'type 1 string required',
  'flowcontrol.v1.FlowSchema':
    'metadata 1 ObjectMeta; spec 2 flowcontrol.v1.FlowSchemaSpec; status 3 flowcontrol.v1.FlowSchemaStatus',
  'flowcontrol.v1.FlowSchemaCondition':
    'type 1 string; status 2 string; lastTransitionTime 3 time; reason 4 string; message 5 string',
  'flowcontrol.v1.FlowSchemaSpec':
    'priorityLevelConfiguration 1 flowcontrol.v1.PriorityLevelConfigurationReference required; matchingPrecedence 2 int32 presence; distinguisherMethod 3 flowcontrol.v1.FlowDistinguisherMethod; rules 4 []flowcontrol.v1.PolicyRulesWithSubjects',
  'flowcontrol.v1.FlowSchemaStatus': 'conditions 1 []flowcontrol.v1.FlowSchemaCondition merge=type',
  'flowcontrol.v1.GroupSubject': 'name 1 string required',
  'flowcontrol.v1.LimitResponse': 'type 1 string required; queuing 2 flowcontrol.v1.QueuingConfiguration',
  'flowcontrol.v1.LimitedPriorityLevelConfiguration':
    'nominalConcurrencyShares 1 int32 presence; limitResponse 2 flowcontrol.v1.LimitResponse; lendablePercent 3 int32 presence; borrowingLimitPercent 4 int32 presence',
  'flowcontrol.v1.NonResourcePolicyRule': 'verbs 1 []string required; nonResourceURLs 6 []string required',
  'flowcontrol.v1.PolicyRulesWithSubjects':
    'subjects 1 []flowcontrol.v1.Subject required; resourceRules 2 []flowcontrol.v1.ResourcePolicyRule; nonResourceRules 3 []flowcontrol.v1.NonResourcePolicyRule',
  'flowcontrol.v1.PriorityLevelConfiguration':
    'metadata 1 ObjectMeta; spec 2 flowcontrol.v1.PriorityLevelConfigurationSpec; status 3 flowcontrol.v1.PriorityLevelConfigurationStatus',
  'flowcontrol.v1.PriorityLevelConfigurationCondition':
    'type 1 string; status 2 string; lastTransitionTime 3 time; reason 4 string; message 5 string',
  'flowcontrol.v1.PriorityLevelConfigurationReference': 'name 1 string required',
  'flowcontrol.v1.PriorityLevelConfigurationSpec':
    'type 1 string required; limited 2 flowcontrol.v1.LimitedPriorityLevelConfiguration; exempt 3 flowcontrol.v1.ExemptPriorityLevelConfiguration',
  'flowcontrol.v1.PriorityLevelConfigurationStatus':
    'conditions 1 []flowcontrol.v1.PriorityLevelConfigurationCondition merge=type',
  'flowcontrol.v1.QueuingConfiguration':
    'queues 1 int32 presence; handSize 2 int32 presence; queueLengthLimit 3 int32 presence',
  'flowcontrol.v1.ResourcePolicyRule':
    'verbs 1 []string required; apiGroups 2 []string required; resources 3 []string required; clusterScope 4 boolean; namespaces 5 []string',
  'flowcontrol.v1.ServiceAccountSubject': 'namespace 1 string required; name 2 string required',
  'flowcontrol.v1.Subject':
    'kind 1 string required; user 2 flowcontrol.v1.UserSubject; group 3 flowcontrol.v1.GroupSubject; serviceAccount 4 flowcontrol.v1.ServiceAccountSubject',
  'flowcontrol.v1.UserSubject': 'name 1 string required',
} as const;
