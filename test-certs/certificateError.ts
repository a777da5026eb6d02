// What the caller can mend of a certificate's preparation: a name, a file, a number of days.
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}
