// The connections of the broken servers to the good server.
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { Pool } from 'undici';
import { certify } from '../../../../test-certs/issue.js';
import type { CertificateName } from '../../../fixtures/clientCertificates.js';
import type { CertifiedKey } from '../../../fixtures/fixtures.js';
import type { Broken, ServerUsers, ShownCertificate, WireReply, WireRequest } from './fault.js';
import type { Backend } from './upgrades.js';

/** A good server: its URL, the PEM of its authority, and the users that it was started with. */
export interface Good {
  readonly url: string;
  readonly ca: string;
  readonly users?: ServerUsers;
}

/** Connections to the good server, by the client certificate that they present. */
export class Pools {
  readonly #pools = new Map<ShownCertificate, Pool>();
  readonly #made = new Map<ShownCertificate, CertifiedKey>();
  readonly #names: ReadonlyMap<string, CertificateName>;

  constructor(readonly good: Good) {
    const certificates = Object.entries(good.users?.fixtures.clientCertificates ?? {});
    this.#names = new Map(
      certificates.map(([name, { certificate }]) => [
        new X509Certificate(certificate).fingerprint256,
        name as CertificateName,
      ]),
    );
  }

  /** Returns the connections that present the certificate of this name, or none. */
  showing(name: ShownCertificate): Pool {
    const known = this.#pools.get(name);
    if (known !== undefined) return known;
    const { url, tls } = this.backend(name);
    // One context for all connections: each watch ends its own, and a context for the next would read the authority again.
    const connect = { ...tls, secureContext: createSecureContext(tls) };
    const pool = new Pool(url, { connect });
    this.#pools.set(name, pool);
    return pool;
  }

  /** Returns the good server, for a new connection that presents the certificate. */
  backend(name: ShownCertificate): Backend {
    const { url, ca, users } = this.good;
    const shown = name && (this.#made.get(name) ?? users?.fixtures.clientCertificates[name as CertificateName]);
    return { url, tls: { ca, ...(shown && { cert: shown.certificate, key: shown.key }) } };
  }

  /** Returns the facts of the handshake of a connection to the proxy. */
  shownOn(socket: Socket): Pick<WireRequest, 'certificate' | 'resumed'> {
    if (!(socket instanceof TLSSocket)) return { resumed: false };
    const shown = socket.getPeerX509Certificate();
    const certificate = shown && (this.#names.get(shown.fingerprint256) ?? this.#passedOn(shown));
    return { certificate, resumed: socket.isSessionReused() };
  }

  /** Makes a certificate for the user and the time of one that the suite made, whose key the proxy does not have. */
  #passedOn(shown: X509Certificate): ShownCertificate {
    const issuer = this.good.users?.fixtures.clientAuthority;
    if (issuer === undefined || !shown.verify(new X509Certificate(issuer.certificate).publicKey)) return undefined;
    const name: ShownCertificate = `made ${shown.fingerprint256}`;
    if (this.#made.has(name)) return name;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const commonName = String(shown.toLegacyObject().subject.CN);
    const days = (Date.parse(shown.validTo) - Date.now()) / 86_400_000;
    const certificate = certify(publicKey, { subject: { commonName }, issuer, usage: 'client', days });
    this.#made.set(name, { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() });
    return name;
  }

  async changed(broken: Broken, request: WireRequest): Promise<WireRequest | WireReply> {
    // Faults that use the users run on servers with users.
    return (await broken.request?.(request, this.good.users as ServerUsers)) ?? request;
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }
}
