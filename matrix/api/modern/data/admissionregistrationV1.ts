// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const admissionregistrationV1 = {
  'admissionregistration.v1.ApplyConfiguration': 'expression 1 string',
  'admissionregistration.v1.AuditAnnotation': 'key 1 string required; valueExpression 2 string required',
  'admissionregistration.v1.ExpressionWarning': 'fieldRef 2 string required; warning 3 string required',
  'admissionregistration.v1.JSONPatch': 'expression 1 string',
  'admissionregistration.v1.MatchCondition': 'name 1 string required; expression 2 string required',
  'admissionregistration.v1.MatchResources':
    'namespaceSelector 1 LabelSelector; objectSelector 2 LabelSelector; resourceRules 3 []admissionregistration.v1.NamedRuleWithOperations; excludeResourceRules 4 []admissionregistration.v1.NamedRuleWithOperations; matchPolicy 7 string presence',
  'admissionregistration.v1.MutatingAdmissionPolicy':
    'metadata 1 ObjectMeta; spec 2 admissionregistration.v1.MutatingAdmissionPolicySpec',
  'admissionregistration.v1.MutatingAdmissionPolicyBinding':
    'metadata 1 ObjectMeta; spec 2 admissionregistration.v1.MutatingAdmissionPolicyBindingSpec',
  'admissionregistration.v1.MutatingAdmissionPolicyBindingSpec':
    'policyName 1 string; paramRef 2 admissionregistration.v1.ParamRef; matchResources 3 admissionregistration.v1.MatchResources',
  'admissionregistration.v1.MutatingAdmissionPolicySpec':
    'paramKind 1 admissionregistration.v1.ParamKind; matchConstraints 2 admissionregistration.v1.MatchResources; variables 3 []admissionregistration.v1.Variable; mutations 4 []admissionregistration.v1.Mutation; failurePolicy 5 string presence; matchConditions 6 []admissionregistration.v1.MatchCondition merge=name; reinvocationPolicy 7 string',
  'admissionregistration.v1.MutatingWebhook':
    'name 1 string required; clientConfig 2 admissionregistration.v1.WebhookClientConfig required; rules 3 []admissionregistration.v1.RuleWithOperations; failurePolicy 4 string presence; matchPolicy 9 string presence; namespaceSelector 5 LabelSelector; objectSelector 11 LabelSelector; sideEffects 6 string required presence; timeoutSeconds 7 int32 presence; admissionReviewVersions 8 []string required; reinvocationPolicy 10 string presence; matchConditions 12 []admissionregistration.v1.MatchCondition merge=name',
  'admissionregistration.v1.MutatingWebhookConfiguration':
    'metadata 1 ObjectMeta; webhooks 2 []admissionregistration.v1.MutatingWebhook merge=name',
  'admissionregistration.v1.Mutation':
    'patchType 2 string required; applyConfiguration 3 admissionregistration.v1.ApplyConfiguration; jsonPatch 4 admissionregistration.v1.JSONPatch',
  'admissionregistration.v1.NamedRuleWithOperations':
    'resourceNames 1 []string; ruleWithOperations 2 admissionregistration.v1.RuleWithOperations inlined',
  'admissionregistration.v1.ParamKind': 'apiVersion 1 string; kind 2 string',
  'admissionregistration.v1.ParamRef':
    'name 1 string; namespace 2 string; selector 3 LabelSelector; parameterNotFoundAction 4 string presence',
  'admissionregistration.v1.Rule':
    'apiGroups 1 []string; apiVersions 2 []string; resources 3 []string; scope 4 string presence',
  'admissionregistration.v1.RuleWithOperations': 'operations 1 []string; rule 2 admissionregistration.v1.Rule inlined',
  'admissionregistration.v1.ServiceReference':
    'namespace 1 string required; name 2 string required; path 3 string presence; port 4 int32 presence',
  'admissionregistration.v1.TypeChecking': 'expressionWarnings 1 []admissionregistration.v1.ExpressionWarning',
  'admissionregistration.v1.ValidatingAdmissionPolicy':
    'metadata 1 ObjectMeta; spec 2 admissionregistration.v1.ValidatingAdmissionPolicySpec; status 3 admissionregistration.v1.ValidatingAdmissionPolicyStatus',
  'admissionregistration.v1.ValidatingAdmissionPolicyBinding':
    'metadata 1 ObjectMeta; spec 2 admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec required',
  'admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec':
    'policyName 1 string required; paramRef 2 admissionregistration.v1.ParamRef; matchResources 3 admissionregistration.v1.MatchResources; validationActions 4 []string required',
  'admissionregistration.v1.ValidatingAdmissionPolicySpec':
    'paramKind 1 admissionregistration.v1.ParamKind; matchConstraints 2 admissionregistration.v1.MatchResources; validations 3 []admissionregistration.v1.Validation; failurePolicy 4 string presence; auditAnnotations 5 []admissionregistration.v1.AuditAnnotation; matchConditions 6 []admissionregistration.v1.MatchCondition merge=name; variables 7 []admissionregistration.v1.Variable merge=name',
  'admissionregistration.v1.ValidatingAdmissionPolicyStatus':
    'observedGeneration 1 int64; typeChecking 2 admissionregistration.v1.TypeChecking; conditions 3 []Condition',
  'admissionregistration.v1.ValidatingWebhook':
    'name 1 string required; clientConfig 2 admissionregistration.v1.WebhookClientConfig required; rules 3 []admissionregistration.v1.RuleWithOperations; failurePolicy 4 string presence; matchPolicy 9 string presence; namespaceSelector 5 LabelSelector; objectSelector 10 LabelSelector; sideEffects 6 string required presence; timeoutSeconds 7 int32 presence; admissionReviewVersions 8 []string required; matchConditions 11 []admissionregistration.v1.MatchCondition merge=name',
  'admissionregistration.v1.ValidatingWebhookConfiguration':
    'metadata 1 ObjectMeta; webhooks 2 []admissionregistration.v1.ValidatingWebhook merge=name',
  'admissionregistration.v1.Validation':
    'expression 1 string required; message 2 string; reason 3 string presence; messageExpression 4 string',
  'admissionregistration.v1.Variable': 'name 1 string required; expression 2 string required',
  'admissionregistration.v1.WebhookClientConfig':
    'url 3 string presence; service 1 admissionregistration.v1.ServiceReference; caBundle 2 bytes',
} as const;
