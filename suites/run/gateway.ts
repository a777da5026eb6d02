// Whether the certificate that the suite sees is the target's own: a gateway in front of the target may end TLS.
import { X509Certificate } from 'node:crypto';
import { Unchecked } from '../client/expect.js';
import { wasAccepted } from './acceptance.js';
import type { Context } from './context.js';
import { sendUnwelcome } from './credentialChecks.js';

/**
 * Returns the reason not to judge the certificate that the suite sees; undefined if it is the target's own. Client
 * certificates do not pass a gateway. A gateway that takes them itself has no fixtures, and takes those of others.
 */
export async function behindGateway(context: Context): Promise<Unchecked | undefined> {
  const { authentication, target } = context.run;
  const as = target.credentials.clientCertificate;
  if (as?.certificate !== undefined && (authentication !== undefined || isIssuedBy(as.certificate, target.ca))) {
    const reply = await sendUnwelcome({ as }, context);
    if (reply !== undefined && wasAccepted(reply)) return undefined;
  }
  return new Unchecked(
    'skipped',
    'the certificate may be that of a gateway in front of the target: no client certificate shows that TLS ends at the target',
  );
}

const isIssuedBy = (certificate: string, ca: string | undefined): boolean =>
  ca !== undefined && new X509Certificate(certificate).verify(new X509Certificate(ca).publicKey);
