// Headers of a front proxy, which shows a certificate and names the user of a request: `--requestheader-*`.
import type { IncomingMessage } from 'node:http';
import { OptionError } from '../optionValues.js';
import type { Authenticator } from './authenticator.js';
import type { AuthenticatorOptions } from './options.js';
import { type Verify, verifiedBy } from './verifiedCertificate.js';

/** The headers of a user, in lower case. The first header with a name counts; the others add up. */
interface UserHeaders {
  readonly names: readonly string[];
  readonly uids: readonly string[];
  readonly groups: readonly string[];
  /** What the headers of extra values begin with. */
  readonly extras: readonly string[];
}

/** Makes the authenticator. Throws an OptionError for names that no header has. */
export function setUpRequestHeader(options: AuthenticatorOptions): Authenticator {
  const { proxyAuthorities = '', requestheaderAllowedNames: allowed = [] } = options;
  return requestHeader(verifiedBy(proxyAuthorities, false), allowed, {
    names: headersIn('--requestheader-username-headers', options.requestheaderUsernameHeaders),
    uids: headersIn('--requestheader-uid-headers', options.requestheaderUidHeaders),
    groups: headersIn('--requestheader-group-headers', options.requestheaderGroupHeaders),
    extras: headersIn('--requestheader-extra-headers-prefix', options.requestheaderExtraHeadersPrefix),
  });
}

/** The characters of a header's name (RFC 9110, 5.1). */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

function headersIn(option: string, names: readonly string[] = []): readonly string[] {
  const wrong = names.find((name) => !headerName.test(name));
  if (wrong !== undefined) throw new OptionError(`${option}: ${JSON.stringify(wrong)} cannot be in a header's name`);
  return names.map((name) => name.toLowerCase());
}

/**
 * Takes the headers from every request, so that nothing behind it sees them, and believes them beside a certificate of
 * the proxy with an allowed name; without allowed names any. Ignores a request without a name.
 */
function requestHeader(verify: Verify, allowed: readonly string[], headers: UserHeaders): Authenticator {
  return (request) => {
    const taken = takenFrom(request, headers);
    if (taken.length === 0) return undefined;
    const shown = verify(request);
    if (shown === undefined) return undefined;
    if (allowed.length > 0 && !allowed.includes(shown.commonName))
      throw new Error(`the common name ${JSON.stringify(shown.commonName)} is not in the allowed list`);
    const firstOf = (names: readonly string[]) =>
      names.map((name) => taken.find(([key]) => key === name)?.[1] ?? '').find((value) => value !== '');
    const name = firstOf(headers.names);
    if (name === undefined) return undefined;
    const uid = firstOf(headers.uids);
    const groups = headers.groups.flatMap((header) =>
      taken.flatMap(([key, value]) => (key === header && value !== '' ? [value] : [])),
    );
    const extra = extraIn(taken, headers.extras);
    return { name, ...(uid !== undefined && { uid }), groups, ...(extra !== undefined && { extra }) };
  };
}

/** Headers as received: the name in lower case, and the value. */
type Taken = readonly (readonly [key: string, value: string])[];

function takenFrom(request: IncomingMessage, { names, uids, groups, extras }: UserHeaders): Taken {
  const { rawHeaders = [] } = request;
  const isOurs = (key: string) =>
    names.includes(key) ||
    groups.includes(key) ||
    uids.includes(key) ||
    extras.some((prefix) => key.startsWith(prefix));
  const taken: [string, string][] = [];
  const left: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index] as string, rawHeaders[index + 1] as string];
    const key = name.toLowerCase();
    if (isOurs(key)) taken.push([key, fromUtf8(value)]);
    else left.push(name, value);
  }
  if (taken.length === 0) return taken;
  // Node.js makes both from the raw headers when they are first read, so they are made before these change.
  for (const made of [request.headers, request.headersDistinct]) {
    for (const [key] of taken) delete made[key];
  }
  request.rawHeaders = left;
  return taken;
}

/** Node.js reads the bytes of headers as Latin-1. */
const fromUtf8 = (value: string): string => Buffer.from(value, 'latin1').toString('utf8');

function extraIn(taken: Taken, prefixes: readonly string[]): Readonly<Record<string, readonly string[]>> | undefined {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes) {
    for (const [header, value] of taken) {
      if (!header.startsWith(prefix)) continue;
      const key = unescaped(header.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), value]);
    }
  }
  return extra.size === 0 ? undefined : Object.fromEntries(extra);
}

/** Returns a key without its escapes; as it is if one of them is broken. */
function unescaped(key: string): string {
  const parts = key.split('%');
  if (parts.slice(1).some((part) => !/^[\da-f]{2}/i.test(part))) return key;
  const [first = '', ...others] = parts;
  const bytes = others.map((part) => String.fromCharCode(Number.parseInt(part.slice(0, 2), 16)) + part.slice(2));
  return fromUtf8(first + bytes.join(''));
}
