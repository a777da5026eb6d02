// The formats of names and addresses, as the readers of real servers take them: URIs, mail addresses, hosts, networks.
import { isIP, isIPv6 } from 'node:net';

/** Returns which IP version an address has, and 0 for something else. Octets may begin with zeros. */
function addressFamily(text: string): number {
  if (text.length > longestAddress || text.includes('%')) return 0;
  const start = text.lastIndexOf(':') + 1;
  const octets = text.slice(start).split('.');
  if (octets.length === 1) return isIP(text);
  return isIP(text.slice(0, start) + octets.map((octet) => octet.replace(/^0+(?=\d)/, '')).join('.'));
}
const longestAddress = 64;

export const isDotted = (text: string): boolean => text.includes('.') && addressFamily(text) !== 0;
export const hasColons = (text: string): boolean => text.includes(':') && addressFamily(text) !== 0;

/** Reports whether a text is an address and the length of a prefix. */
export function isNetwork(text: string): boolean {
  const [address = '', length = '', ...more] = text.split('/');
  const family = addressFamily(address);
  return more.length === 0 && family !== 0 && /^\d{1,4}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128);
}

/** How many digits a hardware address has, and how they are grouped. */
const hardware = [12, 16, 40];

export function isHardwareAddress(text: string): boolean {
  const digits = text.replace(/[:.-]/g, '');
  if (!hardware.includes(digits.length) || !/^[0-9a-f]+$/i.test(digits)) return false;
  const groupedBy = (size: number, separator: string): string => {
    const groups = [];
    for (let at = 0; at < digits.length; at += size) groups.push(digits.slice(at, at + size));
    return groups.join(separator);
  };
  return [digits, groupedBy(2, ':'), groupedBy(2, '-'), groupedBy(4, '.')].includes(text);
}

const mostOctets = 255;
const mostOfLabel = 63;
const nameCharacter = /^[a-z0-9\p{S}\p{L}]$/iu;
const letter = /^[a-z\p{L}]$/iu;

/** Reports whether a text is a label with at most one dash, its second character, or labels and a name of letters. */
export function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > mostOctets) return false;
  const labels = text.split('.');
  if (labels.some((label) => Buffer.byteLength(label) > mostOfLabel)) return false;
  const last = [...(labels.pop() ?? '')];
  const isName = (characters: readonly string[]): boolean => characters.every((each) => nameCharacter.test(each));
  if (labels.length === 0) {
    const [first, second, ...rest] = last;
    const without = second === undefined || second === '-' ? rest : [second, ...rest];
    return first !== undefined && isName([first, ...without]) && without.length < mostOfLabel;
  }
  const isLabel = (label: string): boolean => {
    const characters = [...label];
    const [first, end] = [characters.at(0), characters.at(-1)];
    return (
      first !== undefined && end !== undefined && isName([first, end, ...characters.filter((each) => each !== '-')])
    );
  };
  return labels.every(isLabel) && last.length >= 2 && last.every((each) => letter.test(each));
}

/** What a user and a host may have, beside letters, digits and what is not ASCII. */
const userCharacter = /^[-a-z0-9._:~!$&'()*+,;=%@]*$/i;
const hostCharacter = /^[-a-z0-9._~!$&'()*+,;=:[\]<>"\u0080-\u{10ffff}]*$/iu;
const port = /^(?::\d*)?$/;
const badEscape = /%(?![0-9a-f]{2})/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f\u007f]/;

/** Reports whether a text is what a request could ask for: a URI with a scheme, or a path from the root. */
export function isRequestUri(text: string): boolean {
  if (text === '' || control.test(text)) return false;
  if (text === '*') return true;
  const scheme = /^[a-z][-a-z0-9+.]*:/i.exec(text)?.[0];
  const [rest = ''] = text.slice(scheme?.length ?? 0).split('?');
  if (!rest.startsWith('/')) return scheme !== undefined;
  if (scheme === undefined || !rest.startsWith('//')) return !badEscape.test(rest);
  const slash = rest.indexOf('/', 2);
  const authority = slash === -1 ? rest.slice(2) : rest.slice(2, slash);
  return isAuthority(authority) && !badEscape.test(slash === -1 ? '' : rest.slice(slash));
}

function isAuthority(text: string): boolean {
  const at = text.lastIndexOf('@');
  const user = at === -1 ? '' : text.slice(0, at);
  const host = text.slice(at + 1);
  if (!userCharacter.test(user) || badEscape.test(user)) return false;
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    const [address = '', zone] = host.slice(1, end).split('%25');
    return end > 0 && port.test(host.slice(end + 1)) && isIPv6(address) && !address.includes('%') && zone !== '';
  }
  const colon = host.lastIndexOf(':');
  return hostCharacter.test(host) && port.test(colon === -1 ? '' : host.slice(colon));
}

const atom = /^[-a-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10ffff}]+$/iu;
const isDotAtom = (text: string): boolean => text.split('.').every((part) => atom.test(part));
const quoted = /^"(?:[^"\\]|\\.)+"$/;

/** Reports whether a text is one mail address, with or without a name before it, and a comment after it. */
export function isMailAddress(given: string): boolean {
  const text = withoutComment(trimmed(given));
  const open = text.endsWith('>') ? text.lastIndexOf('<') : -1;
  if (open === -1) return isPlainAddress(text);
  return isPhrase(trimmed(text.slice(0, open))) && isPlainAddress(text.slice(open + 1, -1));
}

const trimmed = (text: string): string => text.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '');

const withoutComment = (text: string): string => {
  const open = text.endsWith(')') ? text.lastIndexOf('(') : -1;
  return open === -1 ? text : trimmed(text.slice(0, open));
};

function isPlainAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [user, domain] = [text.slice(0, Math.max(at, 0)), trimmed(text.slice(at + 1))];
  if (at === -1 || !(isDotAtom(user) || quoted.test(user))) return false;
  if (!domain.startsWith('[')) return isDotAtom(domain);
  const address = domain.slice(1, -1);
  return domain.endsWith(']') && (isIP(address) === 4 || (/^ipv6:/i.test(address) && isIPv6(address.slice(5))));
}

/** The words of a name: atoms, which may have dots, and what is between quotes. */
function isPhrase(text: string): boolean {
  let rest = text;
  while (rest !== '') {
    const end = rest.startsWith('"') ? endOfQuoted(rest) : /^[^\s"]+/.exec(rest)?.[0].length;
    if (end === undefined) return false;
    const word = rest.slice(0, end);
    if (!word.startsWith('"') && !atom.test(word.replaceAll('.', 'a'))) return false;
    rest = rest.slice(end).trimStart();
  }
  return true;
}

function endOfQuoted(text: string): number | undefined {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}
