// How a target is reached: the address that is dialled, and how its certificate is verified.
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, connect as connectTls } from 'node:tls';
import type { Target } from '../../matrix/requirements/index.js';

/** What of a target says how it is reached. */
export type Reachable = Pick<Target, 'url' | 'ca' | 'route'>;

/** What verifies the certificate of a target. */
export type Verification = Pick<ConnectionOptions, 'ca' | 'servername' | 'checkServerIdentity' | 'rejectUnauthorized'>;

/** The part of a target's URL that comes before every path of the API; empty for none. */
export const basePathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '');

/** How the certificate of a target is verified; `name` is the address or name that it must be good for. */
export function verificationOf({ url, ca, route = {} }: Reachable, name = route.serverName): Verification {
  const authority = ca === undefined ? {} : { ca };
  if (route.insecure) return { ...authority, ...named(name), rejectUnauthorized: false };
  // A relay has an address of its own.
  const wanted = name ?? (route.relay === undefined ? undefined : hostOf(new URL(url)));
  if (wanted === undefined) return authority;
  return {
    ...authority,
    ...named(wanted),
    checkServerIdentity: (_, certificate) => checkServerIdentity(wanted, certificate),
  };
}

/** Opens a connection to a target. */
export function dial(target: Reachable, options: ConnectionOptions = {}, name?: string): Socket {
  const url = new URL(target.url);
  const isPlain = url.protocol === 'http:';
  const { relay } = target.route ?? {};
  const address =
    relay === undefined ? { host: hostOf(url), port: Number(url.port) || (isPlain ? 80 : 443) } : { path: relay };
  return isPlain ? connectPlain(address) : connectTls({ ...address, ...verificationOf(target, name), ...options });
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** An address is not asked for by name. */
const named = (name: string | undefined): Verification =>
  name === undefined || isIP(name) ? {} : { servername: name };
