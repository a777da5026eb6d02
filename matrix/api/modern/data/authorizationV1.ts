// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const authorizationV1 = {
  'authorization.v1.ExtraValue': 'items 1 string bare',
  'authorization.v1.FieldSelectorAttributes': 'rawSelector 1 string; requirements 2 []FieldSelectorRequirement',
  'authorization.v1.LabelSelectorAttributes': 'rawSelector 1 string; requirements 2 []LabelSelectorRequirement',
  'authorization.v1.LocalSubjectAccessReview':
    'metadata 1 ObjectMeta; spec 2 authorization.v1.SubjectAccessReviewSpec required; status 3 authorization.v1.SubjectAccessReviewStatus',
  'authorization.v1.NonResourceAttributes': 'path 1 string; verb 2 string',
  'authorization.v1.NonResourceRule': 'verbs 1 []string required; nonResourceURLs 2 []string',
  'authorization.v1.ResourceAttributes':
    'namespace 1 string; verb 2 string; group 3 string; version 4 string; resource 5 string; subresource 6 string; name 7 string; fieldSelector 8 authorization.v1.FieldSelectorAttributes; labelSelector 9 authorization.v1.LabelSelectorAttributes',
  'authorization.v1.ResourceRule':
    'verbs 1 []string required; apiGroups 2 []string; resources 3 []string; resourceNames 4 []string',
  'authorization.v1.SelfSubjectAccessReview':
    'metadata 1 ObjectMeta; spec 2 authorization.v1.SelfSubjectAccessReviewSpec required; status 3 authorization.v1.SubjectAccessReviewStatus',
  'authorization.v1.SelfSubjectAccessReviewSpec':
    'resourceAttributes 1 authorization.v1.ResourceAttributes; nonResourceAttributes 2 authorization.v1.NonResourceAttributes',
  'authorization.v1.SelfSubjectRulesReview':
    'metadata 1 ObjectMeta; spec 2 authorization.v1.SelfSubjectRulesReviewSpec required; status 3 authorization.v1.SubjectRulesReviewStatus',
  'authorization.v1.SelfSubjectRulesReviewSpec': 'namespace 1 string',
  'authorization.v1.SubjectAccessReview':
    'metadata 1 ObjectMeta; spec 2 authorization.v1.SubjectAccessReviewSpec required; status 3 authorization.v1.SubjectAccessReviewStatus',
  'authorization.v1.SubjectAccessReviewSpec':
    'resourceAttributes 1 authorization.v1.ResourceAttributes; nonResourceAttributes 2 authorization.v1.NonResourceAttributes; user 3 string; groups 4 []string; extra 5 {}authorization.v1.ExtraValue; uid 6 string',
  'authorization.v1.SubjectAccessReviewStatus':
    'allowed 1 boolean required; denied 4 boolean; reason 2 string; evaluationError 3 string',
  'authorization.v1.SubjectRulesReviewStatus':
    'resourceRules 1 []authorization.v1.ResourceRule required; nonResourceRules 2 []authorization.v1.NonResourceRule required; incomplete 3 boolean required; evaluationError 4 string',
} as const;
