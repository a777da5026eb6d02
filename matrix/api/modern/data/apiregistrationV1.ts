// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const apiregistrationV1 = {
  'apiregistration.v1.APIService':
    'metadata 1 ObjectMeta; spec 2 apiregistration.v1.APIServiceSpec; status 3 apiregistration.v1.APIServiceStatus',
  'apiregistration.v1.APIServiceCondition':
    'type 1 string required; status 2 string required; lastTransitionTime 3 time; reason 4 string; message 5 string',
  'apiregistration.v1.APIServiceSpec':
    'service 1 apiregistration.v1.ServiceReference; group 2 string; version 3 string; insecureSkipTLSVerify 4 boolean; caBundle 5 bytes; groupPriorityMinimum 7 int32 required; versionPriority 8 int32 required',
  'apiregistration.v1.APIServiceStatus': 'conditions 1 []apiregistration.v1.APIServiceCondition merge=type',
  'apiregistration.v1.ServiceReference': 'namespace 1 string; name 2 string; port 3 int32 presence',
} as const;
