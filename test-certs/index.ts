// The certificate preparation of the document, as a library (Authentication/Certificate preparation).
export { type NewFile, writeNewFiles } from './files.js';
export { CertificateError, generateKey, type Issued, issueCertificate } from './issue.js';
export { makeAuthority, makeSigningRequest, signServerRequest } from './manualRoute.js';
export { makeScriptCertificates, makeServerCertificates } from './serverCertificates.js';
