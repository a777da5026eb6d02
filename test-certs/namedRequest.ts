// Certificate signing requests (PKCS #10) with keys of any kind, as clients of an API server send them.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type Asn1, fromDer, oidOf, toDer } from './asn1.js';
import { CertificateError, generalNames } from './issue.js';

/** What a request says about its sender, who holds the key. */
export interface NamedRequest {
  /** The DER of the subject. */
  readonly subject: Buffer;
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** `DNS:<name>` and `IP:<address>`. */
  readonly names: readonly string[];
  /** The kinds of other names. */
  readonly otherNames: ReadonlySet<'email' | 'URI' | 'other'>;
  readonly publicKey: KeyObject;
}

const blockType = 'CERTIFICATE REQUEST';

const attributes = { commonName: '2.5.4.3', organization: '2.5.4.10', extensions: '1.2.840.113549.1.9.14' };
const subjectAltName = '2.5.29.17';

/** The digests of signature algorithms; null for keys that need none. */
const digests: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
};

/** Reads the first PEM block of a text, which must be a request. Throws CertificateError for any other text. */
export function readNamedRequest(pem: string): NamedRequest {
  const der = blockIn(pem);
  if (der === undefined) throw new CertificateError(`PEM block type must be ${blockType}`);
  try {
    return read(der);
  } catch (error) {
    if (error instanceof CertificateError) throw error;
    throw new CertificateError('asn1: structure error: not a certificate request');
  }
}

function blockIn(pem: string): Buffer | undefined {
  const begin = '-----BEGIN ';
  const start = pem.indexOf(begin);
  const head = `${begin}${blockType}-----`;
  if (start < 0 || !pem.startsWith(head, start)) return undefined;
  const end = pem.indexOf(`-----END ${blockType}-----`, start);
  return end < 0 ? undefined : Buffer.from(pem.slice(start + head.length, end), 'base64');
}

function read(der: Buffer): NamedRequest {
  const [info, algorithm, signature] = partsOf(fromDer(der));
  const [, subject, key, extra] = partsOf(info);
  if (info === undefined || subject === undefined || key === undefined) throw new Error('incomplete');
  const publicKey = createPublicKey({ key: toDer(key), format: 'der', type: 'spki' });
  const digest = digests[oidOf(partsOf(algorithm)[0])];
  if (digest === undefined) throw new CertificateError('x509: cannot verify signature: algorithm unimplemented');
  // The first byte of a bit string counts its unused bits.
  const signed = bytesOf(signature).subarray(1);
  if (!verify(digest, toDer(info), publicKey, signed)) {
    throw new CertificateError('x509: the signature of the request does not belong to its key');
  }
  const named = partsOf(subject)
    .flatMap(partsOf)
    .map((attribute) => partsOf(attribute));
  const valuesOf = (id: string) => named.filter(([type]) => oidOf(type) === id).map(([, value]) => textOf(value));
  return {
    subject: toDer(subject),
    commonName: valuesOf(attributes.commonName).at(-1) ?? '',
    organizations: valuesOf(attributes.organization),
    ...alternativeNames(extra),
    publicKey,
  };
}

function alternativeNames(extra: Asn1 | undefined): Pick<NamedRequest, 'names' | 'otherNames'> {
  const names: string[] = [];
  const otherNames = new Set<'email' | 'URI' | 'other'>();
  const found = partsOf(extra)
    .filter((attribute) => oidOf(partsOf(attribute)[0]) === attributes.extensions)
    .flatMap((attribute) => partsOf(partsOf(attribute)[1]).flatMap(partsOf))
    .filter((extension) => oidOf(partsOf(extension)[0]) === subjectAltName);
  for (const extension of found) {
    for (const name of partsOf(fromDer(bytesOf(partsOf(extension).at(-1))))) {
      const bytes = bytesOf(name);
      if (name.type === generalNames.dns) names.push(`DNS:${bytes.toString('latin1')}`);
      else if (name.type === generalNames.ip) names.push(`IP:${addressOf(bytes)}`);
      else
        otherNames.add(name.type === generalNames.email ? 'email' : name.type === generalNames.uri ? 'URI' : 'other');
    }
  }
  return { names, otherNames };
}

function addressOf(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) throw new Error('no address');
  return (bytes.toString('hex').match(/.{4}/g) ?? []).join(':');
}

const partsOf = (element: Asn1 | undefined): readonly Asn1[] => (Array.isArray(element?.value) ? element.value : []);

const bytesOf = (element: Asn1 | undefined): Buffer =>
  Buffer.from(typeof element?.value === 'string' ? element.value : '', 'latin1');

/** The string types whose bytes are UTF-8. What reads a certificate would show the others as other names. */
const textTypes: ReadonlySet<unknown> = new Set([12, 18, 19, 22]);

function textOf(element: Asn1 | undefined): string {
  if (!textTypes.has(element?.type)) throw new CertificateError('the subject has a string that is not UTF-8');
  return bytesOf(element).toString('utf8');
}
