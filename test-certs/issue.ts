// Issues certificates: authorities, servers and clients, with EC or RSA keys (Authentication/Certificate preparation).
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { promisify } from 'node:util';
import { bitString, boolean, explicit, implicit, integer, octetString, oid, sequence, set, time, utf8 } from './der.js';
import { encodeName } from './names.js';

/** A certificate and its private key, both PEM. */
export interface Issued {
  readonly certificate: string;
  readonly key: string;
}

/** Who a certificate names. Each organization becomes a group of a client certificate's user. */
interface Subject {
  /** Absent, the subject has none, and with no organizations it is empty. */
  readonly commonName?: string;
  readonly organizations?: readonly string[];
}

export type KeyKind = 'ec' | 'rsa-2048';

export interface CertificateRequest {
  readonly subject: Subject;
  /** Signs it; absent, it signs itself. */
  readonly issuer?: Issued;
  /** P-256 by default: a fresh one costs a millisecond, an RSA key a hundred times as much. */
  readonly keyKind?: KeyKind;
  /** PEM of the private key that the certificate is for; a fresh one unless told. */
  readonly key?: string;
  /** `DNS:<name>` and `IP:<address>`. */
  readonly names?: readonly string[];
  readonly usage: 'authority' | 'server' | 'client';
  /** Validity from now; below zero makes one that has expired. Ten years unless told. */
  readonly days?: number;
  /** Start of the validity; a minute before now unless told, for clocks that differ. */
  readonly notBefore?: Date;
}

const algorithms = {
  ec: sequence(oid('1.2.840.10045.4.3.2')),
  rsa: sequence(oid('1.2.840.113549.1.1.11'), Buffer.of(0x05, 0x00)),
};
const extensions = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
};
/** Bits of KeyUsage, the most significant first: digitalSignature 0, keyEncipherment 2, keyCertSign 5, cRLSign 6. */
const usages = {
  authority: { keyUsage: bitString(Buffer.of(0b1000_0110), 1), extended: undefined },
  server: { keyUsage: bitString(Buffer.of(0b1010_0000), 5), extended: '1.3.6.1.5.5.7.3.1' },
  client: { keyUsage: bitString(Buffer.of(0b1010_0000), 5), extended: '1.3.6.1.5.5.7.3.2' },
};

/** A fresh private key, PEM: P-256, or RSA with 2048 bits. */
export async function generateKey(kind: KeyKind = 'ec'): Promise<string> {
  const make = promisify(generateKeyPair);
  const { privateKey } =
    kind === 'ec' ? await make('ec', { namedCurve: 'P-256' }) : await make('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Issues one certificate. Throws CertificateError on a name that no certificate can hold. */
export async function issueCertificate(request: CertificateRequest): Promise<Issued> {
  const key = request.key ?? (await generateKey(request.keyKind));
  const privateKey = createPrivateKey(key);
  const signer = request.issuer === undefined ? privateKey : createPrivateKey(request.issuer.key);
  return { certificate: sealed(request, createPublicKey(privateKey), signer), key };
}

/** Issues a certificate for a public key (PEM) whose private half its owner keeps. Throws like issueCertificate. */
export function certify(publicKey: string, request: CertificateRequest & { readonly issuer: Issued }): string {
  return sealed(request, createPublicKey(publicKey), createPrivateKey(request.issuer.key));
}

function sealed(request: CertificateRequest, publicKey: KeyObject, signer: KeyObject): string {
  const algorithm = signer.asymmetricKeyType === 'rsa' ? algorithms.rsa : algorithms.ec;
  const toBeSigned = tbsCertificate(request, spki(publicKey), spki(createPublicKey(signer)), algorithm);
  return pem('CERTIFICATE', sequence(toBeSigned, algorithm, bitString(sign('sha256', toBeSigned, signer))));
}

function tbsCertificate(request: CertificateRequest, publicKey: Buffer, signer: Buffer, algorithm: Buffer): Buffer {
  const { subject, issuer, usage, names = [], days = 3650, notBefore = new Date(Date.now() - 60_000) } = request;
  const from = days < 0 ? new Date(Date.now() + (days - 1) * 86_400_000) : notBefore;
  const until = new Date(Math.max(from.getTime() + 1000, Date.now() + days * 86_400_000));
  const isAuthority = usage === 'authority';
  const { keyUsage, extended } = usages[usage];
  return sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(0x40), randomBytes(15)])),
    algorithm,
    issuer === undefined ? nameOf(subject) : subjectOf(issuer.certificate),
    sequence(time(from), time(until)),
    nameOf(subject),
    publicKey,
    explicit(
      3,
      sequence(
        extension(extensions.basicConstraints, isAuthority ? sequence(boolean(true)) : sequence(), true),
        extension(extensions.keyUsage, keyUsage, true),
        ...(extended === undefined ? [] : [extension(extensions.extendedKeyUsage, sequence(oid(extended)))]),
        extension(extensions.subjectKeyIdentifier, octetString(keyIdentifier(publicKey))),
        extension(extensions.authorityKeyIdentifier, sequence(implicit(0, keyIdentifier(signer)))),
        ...(names.length === 0 ? [] : [extension(extensions.subjectAltName, sequence(...names.map(encodeName)))]),
      ),
    ),
  );
}

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));

const spki = (publicKey: KeyObject): Buffer => publicKey.export({ type: 'spki', format: 'der' });

const keyIdentifier = (publicKey: Buffer): Buffer => createHash('sha1').update(publicKey).digest();

const attribute = (id: string, value: string): Buffer => set(sequence(oid(id), utf8(value)));

const nameOf = ({ commonName, organizations = [] }: Subject): Buffer =>
  sequence(
    ...organizations.map((name) => attribute('2.5.4.10', name)),
    ...(commonName === undefined ? [] : [attribute('2.5.4.3', commonName)]),
  );

/** The subject of a certificate, byte for byte: an issuer's name must equal it. */
function subjectOf(certificate: string): Buffer {
  const der = new X509Certificate(certificate).raw;
  const tbs = open(der, open(der, 0).start);
  let at = tbs.start;
  // version, serial number, algorithm, issuer, validity stand before the subject
  for (let skipped = 0; skipped < 5; skipped++) at = open(der, at).end;
  return der.subarray(at, open(der, at).end);
}

function open(der: Uint8Array, at: number): { start: number; end: number } {
  const first = der[at + 1] ?? 0;
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const count = first & 0x7f;
  let length = 0;
  for (const byte of der.subarray(at + 2, at + 2 + count)) length = length * 256 + byte;
  return { start: at + 2 + count, end: at + 2 + count + length };
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
