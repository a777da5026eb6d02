// URLs of webhooks, read as real servers read them: their messages say why one cannot be read.

/** The parts of a URL that webhooks are asked for. */
interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly user?: string;
  readonly fragment: string;
  readonly query: string;
}

/** Why a URL cannot be read. */
class UrlFault extends Error {}

/** Reads a URL. Returns why it cannot be read, if so. */
export function readUrl(text: string): UrlParts | { readonly fault: string } {
  try {
    return partsOf(text);
  } catch (error) {
    if (error instanceof UrlFault) return { fault: error.message };
    throw error;
  }
}

function partsOf(text: string): UrlParts {
  if (controls.test(text)) throw new UrlFault('net/url: invalid control character in URL');
  const [beforeHash = '', fragment = ''] = splitAt(text, text.indexOf('#'));
  requireEscapes(fragment);
  if (beforeHash.startsWith(':')) throw new UrlFault('missing protocol scheme');
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(beforeHash) ?? [];
  const afterScheme = scheme === '' ? beforeHash : beforeHash.slice(scheme.length + 1);
  const [rest = '', query = ''] = splitAt(afterScheme, afterScheme.indexOf('?'));
  const parts = { scheme: scheme.toLowerCase(), fragment, query };
  if (!rest.startsWith('/')) {
    if (scheme === '' && rest.split('/', 1)[0]?.includes(':') === true) {
      throw new UrlFault('first path segment in URL cannot contain colon');
    }
    return { ...parts, host: '' };
  }
  const isAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
  const [authority = '', path = ''] = isAuthority ? atSlash(rest.slice(2)) : ['', rest];
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  checkHost(host);
  const user = at === -1 ? undefined : authority.slice(0, at);
  if (user !== undefined && !userCharacters.test(user)) throw new UrlFault('net/url: invalid userinfo');
  requireEscapes(path);
  return { ...parts, host, ...(user !== undefined && { user }) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the pattern is about.
const controls = /[\x00-\x1f\x7f]/;
const userCharacters = /^[\w\-.:~!$&'()*+,;=%@]*$/;
const wrongInHosts = /[\s\\^`{|}]/;

/** Splits a text around a character, or not at all. */
const splitAt = (text: string, index: number): readonly string[] =>
  index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)];

function atSlash(text: string): readonly string[] {
  const slash = text.indexOf('/');
  return slash === -1 ? [text] : [text.slice(0, slash), text.slice(slash)];
}

function requireEscapes(text: string): void {
  const [wrong] = /%(?![0-9a-f]{2}).{0,2}/i.exec(text) ?? [];
  if (wrong !== undefined) throw new UrlFault(`invalid URL escape ${JSON.stringify(wrong)}`);
}

function checkHost(host: string): void {
  const end = host.lastIndexOf(']');
  if (host.startsWith('[') && end === -1) throw new UrlFault("missing ']' in host");
  const colon = host.lastIndexOf(':');
  const port = host.startsWith('[') ? host.slice(end + 1) : colon === -1 ? '' : host.slice(colon);
  if (!/^(?::\d*)?$/.test(port)) throw new UrlFault(`invalid port ${JSON.stringify(port)} after host`);
  // Only characters beyond ASCII are escaped in a host, and the percent sign before the zone of an address.
  const [escaped] = /%(?![89a-f][0-9a-f]|25).{0,2}/i.exec(host) ?? [];
  if (escaped !== undefined) throw new UrlFault(`invalid URL escape ${JSON.stringify(escaped)}`);
  const [wrong] = wrongInHosts.exec(host) ?? [];
  if (wrong !== undefined) throw new UrlFault(`invalid character ${JSON.stringify(wrong)} in host name`);
}
