// The certificate preparation of the document, as a library (Authentication/Certificate preparation).
export { issueCertificate } from './issue.js';
export { makeServerCertificates } from './serverCertificates.js';
