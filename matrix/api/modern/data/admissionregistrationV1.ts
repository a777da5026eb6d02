// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const admissionregistrationV1 = {
  'admissionregistration.v1.MatchCondition': 'name 1 string required; expression 2 string required',
  'admissionregistration.v1.MutatingWebhook':
    'name 1 string required; clientConfig 2 admissionregistration.v1.WebhookClientConfig required; rules 3 []admissionregistration.v1.RuleWithOperations; failurePolicy 4 string presence; matchPolicy 9 string presence; namespaceSelector 5 LabelSelector; objectSelector 11 LabelSelector; sideEffects 6 string required presence; timeoutSeconds 7 int32 presence; admissionReviewVersions 8 []string required; reinvocationPolicy 10 string presence; matchConditions 12 []admissionregistration.v1.MatchCondition merge=name',
  'admissionregistration.v1.MutatingWebhookConfiguration':
    'metadata 1 ObjectMeta; webhooks 2 []admissionregistration.v1.MutatingWebhook merge=name',
  'admissionregistration.v1.Rule':
    'apiGroups 1 []string; apiVersions 2 []string; resources 3 []string; scope 4 string presence',
  'admissionregistration.v1.RuleWithOperations': 'operations 1 []string; rule 2 admissionregistration.v1.Rule inlined',
  'admissionregistration.v1.ServiceReference':
    'namespace 1 string required; name 2 string required; path 3 string presence; port 4 int32 presence',
  'admissionregistration.v1.ValidatingWebhook':
    'name 1 string required; clientConfig 2 admissionregistration.v1.WebhookClientConfig required; rules 3 []admissionregistration.v1.RuleWithOperations; failurePolicy 4 string presence; matchPolicy 9 string presence; namespaceSelector 5 LabelSelector; objectSelector 10 LabelSelector; sideEffects 6 string required presence; timeoutSeconds 7 int32 presence; admissionReviewVersions 8 []string required; matchConditions 11 []admissionregistration.v1.MatchCondition merge=name',
  'admissionregistration.v1.ValidatingWebhookConfiguration':
    'metadata 1 ObjectMeta; webhooks 2 []admissionregistration.v1.ValidatingWebhook merge=name',
  'admissionregistration.v1.WebhookClientConfig':
    'url 3 string presence; service 1 admissionregistration.v1.ServiceReference; caBundle 2 bytes',
} as const;
