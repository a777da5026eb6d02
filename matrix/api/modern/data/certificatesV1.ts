// Written by tools/modernTypes.mjs: the fields of types, as `name number type marks`.
export const certificatesV1 = {
  'certificates.v1.CertificateSigningRequest':
    'metadata 1 ObjectMeta; spec 2 certificates.v1.CertificateSigningRequestSpec required; status 3 certificates.v1.CertificateSigningRequestStatus',
  'certificates.v1.CertificateSigningRequestCondition':
    'type 1 string required; status 6 string required; reason 2 string; message 3 string; lastUpdateTime 4 time; lastTransitionTime 5 time',
  'certificates.v1.CertificateSigningRequestSpec':
    'request 1 bytes required; signerName 7 string required; expirationSeconds 8 int32 presence; usages 5 []string; username 2 string; uid 3 string; groups 4 []string; extra 6 {}certificates.v1.ExtraValue',
  'certificates.v1.CertificateSigningRequestStatus':
    'conditions 1 []certificates.v1.CertificateSigningRequestCondition; certificate 2 bytes',
  'certificates.v1.ExtraValue': 'items 1 string bare',
} as const;
