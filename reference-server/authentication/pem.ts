// PEM files in options: authorities, and a certificate with its key. They are checked when the server starts.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { OptionError, readOptionFile } from '../optionValues.js';

/** Reads a file of certificate authorities. Throws an OptionError that begins with `where`. */
export async function readAuthorities(where: string, file: string): Promise<string> {
  return checkAuthorities(`${where}: ${file}`, await readOptionFile(where, file));
}

/** Returns each certificate of a PEM text; the last one may be cut off. */
export const certificatesIn = (pem: string): readonly string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----.*?(?:-----END CERTIFICATE-----|$)/gs) ?? [];

/** Returns the PEM. Throws an OptionError if it has no certificate or a broken one. */
export function checkAuthorities(where: string, pem: string): string {
  const certificates = certificatesIn(pem);
  if (certificates.length === 0) throw new OptionError(`${where} holds no PEM certificate`);
  certificates.forEach((certificate, index) => {
    attempt(`${where}, certificate ${index + 1} cannot be read`, () => new X509Certificate(certificate));
  });
  return pem;
}

/** Throws an OptionError unless `key` is a PEM key without a passphrase that belongs to the certificate. */
export function checkPair(where: string, certificate: string, key: string): void {
  const leaf = attempt(`${where}: client-certificate is not a PEM certificate`, () => new X509Certificate(certificate));
  const privateKey = attempt(`${where}: client-key is not a PEM key without a passphrase`, () => createPrivateKey(key));
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new OptionError(`${where}: client-key does not belong to client-certificate`);
  }
}

function attempt<Result>(complaint: string, read: () => Result): Result {
  try {
    return read();
  } catch {
    throw new OptionError(complaint);
  }
}
