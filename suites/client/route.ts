// The route to a target: the address to connect to, and the verification of the target's certificate.
import { X509Certificate } from 'node:crypto';
import { connect as connectPlain, isIP, isIPv6, type Socket } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, connect as connectTls, type PeerCertificate } from 'node:tls';
import type { Target } from '../requirements/index.js';

export type Reachable = Pick<Target, 'url' | 'ca' | 'route'>;

/** The TLS options that verify the certificate of a target. */
export type Verification = Pick<ConnectionOptions, 'ca' | 'servername' | 'checkServerIdentity' | 'rejectUnauthorized'>;

/** Returns the part of a target's URL before the paths of the API; empty if there is none. */
export const basePathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '');

/** Returns the verification of a target's certificate; `name` is the address or name that it must be valid for. */
export function verificationOf({ url, ca, route = {} }: Reachable, name = route.serverName): Verification {
  const authority = ca === undefined ? {} : { ca };
  if (route.insecure) return { ...authority, ...named(name), rejectUnauthorized: false };
  const host = hostOf(new URL(url));
  // Of hosts, only an IPv6 address has a colon; the first isIPv6 of a process costs as much as ten requests. The address
  // of a relay is not the address of the target.
  const wanted = name ?? (route.relay === undefined && !host.includes(':') ? undefined : host);
  if (wanted === undefined) return authority;
  return {
    ...authority,
    ...named(wanted),
    checkServerIdentity: (_, certificate) => identityError(wanted, certificate),
  };
}

/** Returns why a certificate is not for a name or an address. */
function identityError(wanted: string, certificate: PeerCertificate): Error | undefined {
  // Node.js 22.23 takes an IPv6 address for a name.
  const isFor = isIPv6(wanted) && new X509Certificate(certificate.raw).checkIP(wanted) !== undefined;
  return isFor ? undefined : checkServerIdentity(wanted, certificate);
}

export function dial(target: Reachable, options: ConnectionOptions = {}, name?: string): Socket {
  const url = new URL(target.url);
  const isPlain = url.protocol === 'http:';
  const { relay } = target.route ?? {};
  const address = relay === undefined ? addressOf(url) : { path: relay };
  return isPlain ? connectPlain(address) : connectTls({ ...address, ...verificationOf(target, name), ...options });
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Returns the host, without brackets, and the port of an http or https URL. */
export const addressOf = (url: URL): { readonly host: string; readonly port: number } => ({
  host: hostOf(url),
  port: Number(url.port) || (url.protocol === 'http:' ? 80 : 443),
});

/** Returns the options of TLS that name a server. An IP address is not a valid name in TLS. */
export const named = (name: string | undefined): Verification =>
  name === undefined || isIP(name) ? {} : { servername: name };
