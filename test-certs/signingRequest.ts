// Certificate signing requests (PKCS #10) with RSA keys, written and read by node-forge.
import forge from 'node-forge';
import { CertificateError, generalNames } from './issue.js';

interface SigningRequest {
  readonly commonName: string;
  /** `DNS:<name>` and `IP:<address>`. */
  readonly names: readonly string[];
  /** PEM. */
  readonly publicKey: string;
}

interface AlternativeName {
  readonly type: number;
  readonly value?: string;
  readonly ip?: string;
}

/** Writes a signing request for an RSA key, both PEM. Throws CertificateError for another key. */
export function writeSigningRequest(key: string, commonName: string, names: readonly string[]): string {
  const privateKey = readable('the key is not an RSA private key in PEM', () => forge.pki.privateKeyFromPem(key));
  const request = forge.pki.createCertificationRequest();
  request.publicKey = forge.pki.setRsaPublicKey(privateKey.n, privateKey.e);
  request.setSubject([{ name: 'commonName', value: commonName, valueTagClass: forge.asn1.Type.UTF8 as never }]);
  const altNames = names.map((name): AlternativeName => {
    const value = name.slice(name.indexOf(':') + 1);
    return name.startsWith('IP:') ? { type: generalNames.ip, ip: value } : { type: generalNames.dns, value };
  });
  request.setAttributes([{ name: 'extensionRequest', extensions: [{ name: 'subjectAltName', altNames }] }]);
  request.sign(privateKey, forge.md.sha256.create());
  return forge.pki.certificationRequestToPem(request).replaceAll('\r\n', '\n');
}

/** Reads a signing request and verifies that its sender holds the key. Throws CertificateError. */
export function readSigningRequest(pem: string): SigningRequest {
  const request = readable('no signing request of an RSA key in PEM', () => forge.pki.certificationRequestFromPem(pem));
  if (!readable('the signature of the request cannot be read', () => request.verify())) {
    throw new CertificateError('the signature of the request does not belong to its key');
  }
  const commonName: unknown = request.subject.getField('CN')?.value;
  if (typeof commonName !== 'string' || request.publicKey === null) {
    throw new CertificateError('the request has no common name');
  }
  const { extensions } = (request.getAttribute({ name: 'extensionRequest' }) ?? {}) as {
    readonly extensions?: readonly { readonly name?: string; readonly altNames?: readonly AlternativeName[] }[];
  };
  const altNames = extensions?.find(({ name }) => name === 'subjectAltName')?.altNames ?? [];
  return {
    commonName,
    names: altNames.map(({ type, value, ip }) => (type === generalNames.ip ? `IP:${ip}` : `DNS:${value}`)),
    publicKey: forge.pki.publicKeyToPem(request.publicKey),
  };
}

function readable<Result>(complaint: string, read: () => Result): Result {
  try {
    return read();
  } catch {
    throw new CertificateError(complaint);
  }
}
