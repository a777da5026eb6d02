// Where a redirect of a proxied server leads for a client that knows it only through the proxy.

/** The path under which a client reaches the other end, and the names that both have for its host. */
export interface Prefix {
  /** What a client has before every path of this server; empty for nothing. */
  readonly base?: string;
  readonly prefix: string;
  readonly hosts: readonly string[];
}

/** A `Location` on the other end itself, as a path through the proxy; relative ones and those elsewhere stay. */
export function proxiedLocation(location: string, { base = '', prefix, hosts }: Prefix): string {
  const [, host, path = ''] = /^(?:(?:https?:)?\/\/([^/?#]*))?(.*)$/is.exec(location) ?? [];
  if (host === undefined ? !path.startsWith('/') : !hosts.includes(host)) return location;
  const rooted = path.startsWith('/') ? path : `/${path}`;
  return base + (rooted.startsWith(`${prefix}/`) ? rooted : `${prefix}${rooted}`);
}
