// A certificate authority and a server certificate signed by it (Authentication/Certificate preparation, 2 and 3).
import { type Issued, issueCertificate, type KeyKind } from './issue.js';

/** All PEM. */
export interface ServerCertificates {
  readonly ca: Issued;
  readonly server: Issued;
}

/** Names by which every server of this project can be reached. */
const usualNames = ['DNS:localhost', 'IP:127.0.0.1', 'IP:::1', 'DNS:kubernetes', 'DNS:kubernetes.default'];

/**
 * Makes an authority and a server certificate for an address.
 * `names` are further `IP:` and `DNS:` names; `days` is the validity of both.
 */
export async function makeServerCertificates(
  address: string,
  options: { names?: readonly string[]; days?: number; keyKind?: KeyKind } = {},
): Promise<ServerCertificates> {
  const { names = [], ...rest } = options;
  const ca = await issueCertificate({
    subject: { commonName: 'kube-api-conformance CA' },
    usage: 'authority',
    ...rest,
  });
  const server = await issueCertificate({
    subject: { commonName: address },
    issuer: ca,
    names: [...new Set([...usualNames, ...names])],
    usage: 'server',
    ...rest,
  });
  return { ca, server };
}
