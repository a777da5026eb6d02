// A certificate authority and a server certificate signed by it, in one go (Certificate preparation, 2).
import { isIP } from 'node:net';
import { type Issued, issueCertificate, type KeyKind } from './issue.js';

/** All PEM. */
export interface ServerCertificates {
  readonly ca: Issued;
  readonly server: Issued;
}

interface Choices {
  /** Further `IP:` and `DNS:` names. */
  readonly names?: readonly string[];
  /** Validity of both certificates. */
  readonly days?: number;
  readonly keyKind?: KeyKind;
}

/** The common name of the authorities that are made here. */
export const authorityName = 'kube-api-conformance CA';

/** Names by which every server of this project can be reached. */
const usualNames = ['DNS:localhost', 'IP:127.0.0.1', 'IP:::1', 'DNS:kubernetes', 'DNS:kubernetes.default'];

/** An address or a host name as a subject alternative name. */
export const nameOfAddress = (address: string): string => (isIP(address) ? `IP:${address}` : `DNS:${address}`);

/**
 * Makes an authority and a server certificate that is good for its address and the names, and for nothing else, as
 * the document's deployment script does. Throws CertificateError on a name that no certificate can hold.
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

/** The same for a server of this project, which has names of its own beside those that it is given. */
export function makeServerCertificates(address: string, choices: Choices = {}): Promise<ServerCertificates> {
  return makeScriptCertificates(address, { ...choices, names: [...usualNames, ...(choices.names ?? [])] });
}
