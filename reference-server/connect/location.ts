// Redirects of a proxied backend, for clients that can reach it only through the proxy.

/** The path prefix of the backend for clients, and the names of its host. */
export interface Prefix {
  /** The base path of this server; empty for none. */
  readonly base?: string;
  readonly prefix: string;
  readonly hosts: readonly string[];
}

/**
 * Rewrites a `Location` on the backend to a path through the proxy. Relative locations and those on other hosts stay
 * unchanged.
 */
export function proxiedLocation(location: string, { base = '', prefix, hosts }: Prefix): string {
  const [, host, path = ''] = /^(?:(?:https?:)?\/\/([^/?#]*))?(.*)$/is.exec(location) ?? [];
  if (host === undefined ? !path.startsWith('/') : !hosts.includes(host)) return location;
  const rooted = path.startsWith('/') ? path : `/${path}`;
  return base + (rooted.startsWith(`${prefix}/`) ? rooted : `${prefix}${rooted}`);
}
