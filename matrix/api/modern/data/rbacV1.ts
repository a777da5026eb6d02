// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const rbacV1 = {
  'rbac.v1.AggregationRule': 'clusterRoleSelectors 1 []LabelSelector',
  'rbac.v1.ClusterRole':
    'metadata 1 ObjectMeta; rules 2 []rbac.v1.PolicyRule; aggregationRule 3 rbac.v1.AggregationRule',
  'rbac.v1.ClusterRoleBinding':
    'metadata 1 ObjectMeta; subjects 2 []rbac.v1.Subject; roleRef 3 rbac.v1.RoleRef required',
  'rbac.v1.PolicyRule':
    'verbs 1 []string required; apiGroups 2 []string; resources 3 []string; resourceNames 4 []string; nonResourceURLs 5 []string',
  'rbac.v1.Role': 'metadata 1 ObjectMeta; rules 2 []rbac.v1.PolicyRule',
  'rbac.v1.RoleBinding': 'metadata 1 ObjectMeta; subjects 2 []rbac.v1.Subject; roleRef 3 rbac.v1.RoleRef required',
  'rbac.v1.RoleRef': 'apiGroup 1 string; kind 2 string required; name 3 string required',
  'rbac.v1.Subject': 'kind 1 string required; apiGroup 2 string; name 3 string required; namespace 4 string',
} as const;
