// Makes a certificate authority and a server certificate in one step (Certificate preparation, 2).
import { isIP } from 'node:net';
import { type Issued, issueCertificate, type KeyKind } from './issue.js';

/** PEM texts. */
export interface ServerCertificates {
  readonly ca: Issued;
  readonly server: Issued;
}

interface Choices {
  /** Additional `IP:` and `DNS:` names. */
  readonly names?: readonly string[];
  /** The validity of both certificates, in days. */
  readonly days?: number;
  readonly keyKind?: KeyKind;
}

/** The common name of the authorities made here. */
export const authorityName = 'kube-api-conformance CA';

/** The names of every server of this project. */
const defaultNames = ['DNS:localhost', 'IP:127.0.0.1', 'IP:::1', 'DNS:kubernetes', 'DNS:kubernetes.default'];

/** Returns an address or a host name as a subject alternative name. */
export const nameOfAddress = (address: string): string => (isIP(address) ? `IP:${address}` : `DNS:${address}`);

/**
 * Makes an authority and a server certificate for exactly the address and the names, as the document's deployment
 * script does. Throws CertificateError for an invalid name.
 */
export async function makeScriptCertificates(
  address: string,
  { names = [], ...rest }: Choices = {},
): Promise<ServerCertificates> {
  const ca = await issueCertificate({ subject: { commonName: authorityName }, usage: 'authority', ...rest });
  const server = await issueCertificate({
    subject: { commonName: address },
    issuer: ca,
    names: [...new Set([nameOfAddress(address), ...names])],
    usage: 'server',
    ...rest,
  });
  return { ca, server };
}

/** Does the same for a server of this project, with the usual names in addition. */
export function makeServerCertificates(address: string, choices: Choices = {}): Promise<ServerCertificates> {
  return makeScriptCertificates(address, { ...choices, names: [...defaultNames, ...(choices.names ?? [])] });
}
