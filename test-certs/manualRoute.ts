// The steps of the document's manual route after the keys, which are RSA with 2048 bits (Certificate preparation, 3).
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { CertificateError, certify, encodeName, type Issued, issueCertificate } from './issue.js';
import { authorityName, nameOfAddress } from './serverCertificates.js';
import { readSigningRequest, writeSigningRequest } from './signingRequest.js';

/** Makes the certificate of an authority (PEM) for a key. Throws CertificateError if the key is invalid. */
export async function makeAuthority(key: string, days: number): Promise<string> {
  checkKey(key);
  const { certificate } = await issueCertificate({
    subject: { commonName: authorityName },
    key,
    usage: 'authority',
    days,
  });
  return certificate;
}

/**
 * Makes a signing request (PEM) with the server's address as common name and as alternative name, because clients look
 * for an address only in the latter. Throws CertificateError if the key is not an RSA key or the address is invalid.
 */
export function makeSigningRequest(key: string, address: string): string {
  const name = nameOfAddress(address);
  encodeName(name);
  return writeSigningRequest(key, address, [name]);
}

/**
 * Makes the server certificate (PEM) of a request, signed by the authority. Without alternative names in the request,
 * the common name becomes one. Throws CertificateError if the request cannot be read or verified, or the authority's
 * key does not belong to its certificate.
 */
export function signServerRequest(request: string, authority: Issued, days: number): string {
  checkPair(authority);
  const { commonName, names, publicKey } = readSigningRequest(request);
  const wanted = names.length > 0 ? names : [nameOfAddress(commonName)];
  return certify(publicKey, { subject: { commonName }, issuer: authority, names: wanted, usage: 'server', days });
}

function checkPair({ certificate, key }: Issued): void {
  let isPair: boolean;
  try {
    isPair = new X509Certificate(certificate).checkPrivateKey(checkKey(key));
  } catch (error) {
    if (error instanceof CertificateError) throw error;
    throw new CertificateError('the certificate of the authority is not a certificate in PEM');
  }
  if (!isPair) throw new CertificateError('the key of the authority does not belong to its certificate');
}

function checkKey(key: string): ReturnType<typeof createPrivateKey> {
  try {
    return createPrivateKey(key);
  } catch {
    throw new CertificateError('the key of the authority is not a private key in PEM without a passphrase');
  }
}
