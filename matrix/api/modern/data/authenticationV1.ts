// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const authenticationV1 = {
  'authentication.v1.BoundObjectReference': 'kind 1 string; apiVersion 2 string; name 3 string; uid 4 string',
  'authentication.v1.ExtraValue': 'items 1 string bare',
  'authentication.v1.SelfSubjectReview': 'metadata 1 ObjectMeta; status 2 authentication.v1.SelfSubjectReviewStatus',
  'authentication.v1.SelfSubjectReviewStatus': 'userInfo 1 authentication.v1.UserInfo',
  'authentication.v1.TokenRequest':
    'metadata 1 ObjectMeta; spec 2 authentication.v1.TokenRequestSpec; status 3 authentication.v1.TokenRequestStatus',
  'authentication.v1.TokenRequestSpec':
    'audiences 1 []string; expirationSeconds 4 int64 presence; boundObjectRef 3 authentication.v1.BoundObjectReference',
  'authentication.v1.TokenRequestStatus': 'token 1 string; expirationTimestamp 2 time',
  'authentication.v1.TokenReview':
    'metadata 1 ObjectMeta; spec 2 authentication.v1.TokenReviewSpec required; status 3 authentication.v1.TokenReviewStatus',
  'authentication.v1.TokenReviewSpec': 'token 1 string required; audiences 2 []string',
  'authentication.v1.TokenReviewStatus':
    'authenticated 1 boolean; user 2 authentication.v1.UserInfo; audiences 4 []string; error 3 string',
  'authentication.v1.UserInfo':
    'username 1 string; uid 2 string; groups 3 []string; extra 4 {}authentication.v1.ExtraValue',
} as const;
