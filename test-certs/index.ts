// The certificate preparation of the document, as a library (Authentication/Certificate preparation).
export { type NewFile, writeNewFiles } from './files.js';
export {
  authorityOf,
  CertificateError,
  certify,
  generateKey,
  type Issued,
  issueCertificate,
  type KeyKind,
  newKey,
  type Uses,
} from './issue.js';
export { makeAuthority, makeSigningRequest, signServerRequest } from './manualRoute.js';
export { type NamedRequest, readNamedRequest } from './namedRequest.js';
export { makeScriptCertificates, makeServerCertificates } from './serverCertificates.js';
