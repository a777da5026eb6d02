// An error that the caller can correct during the preparation of a certificate: a name, a file, a number of days.
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}
