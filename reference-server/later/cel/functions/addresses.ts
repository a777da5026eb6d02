// IP addresses and blocks of them.
import { isIP } from 'node:net';
import { Opaque } from '../values.js';
import { define, fail, type Overload, readCost } from './define.js';

/** An address as a number of 32 or 128 bits. */
class Ip extends Opaque {
  readonly typeName = 'net.IP';

  constructor(
    readonly bits: bigint,
    readonly length: 32 | 128,
  ) {
    super();
  }

  equals(other: Ip): boolean {
    return this.bits === other.bits && this.length === other.length;
  }
}

class Cidr extends Opaque {
  readonly typeName = 'net.CIDR';

  constructor(
    readonly ip: Ip,
    readonly prefix: number,
  ) {
    super();
  }

  equals(other: Cidr): boolean {
    return this.prefix === other.prefix && this.ip.equals(other.ip);
  }
}

const ipv4Bits = (text: string): bigint => text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);

function ipv6Bits(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const groups = (part: string): bigint[] => (part === '' ? [] : part.split(':').map((group) => BigInt(`0x${group}`)));
  const first = groups(head);
  const last = groups(tail ?? '');
  const zeros = Array<bigint>(Math.max(0, 8 - first.length - last.length)).fill(0n);
  return [...first, ...(tail === undefined ? [] : zeros), ...last].reduce((bits, group) => (bits << 16n) | group, 0n);
}

/** Returns an address, or the reason why a text is none. */
function parse(text: string): Ip | string {
  const quoted = JSON.stringify(text);
  const family = text.length > 64 ? 0 : isIP(text);
  if (family === 0)
    return `IP Address ${quoted} parse error during conversion from string: ParseAddr(${quoted}): unable to parse IP`;
  if (text.includes('%')) return `IP address ${quoted} with zone value is not allowed`;
  if (family === 4) return new Ip(ipv4Bits(text), 32);
  if (text.includes('.')) return `IPv4-mapped IPv6 address ${quoted} is not allowed`;
  const bits = ipv6Bits(text);
  return bits >> 32n === 0xffffn ? `IPv4-mapped IPv6 address ${quoted} is not allowed` : new Ip(bits, 128);
}

/** Returns an address in its shortest form. */
function textOf({ bits, length }: Ip): string {
  const size = length === 32 ? 8n : 16n;
  const count = length === 32 ? 4 : 8;
  const parts = Array.from(
    { length: count },
    (_, index) => (bits >> (size * BigInt(count - 1 - index))) & ((1n << size) - 1n),
  );
  if (length === 32) return parts.join('.');
  const longest = longestZeros(parts);
  const hex = (some: readonly bigint[]) => some.map((part) => part.toString(16)).join(':');
  if (longest.length < 2) return hex(parts);
  return `${hex(parts.slice(0, longest.start))}::${hex(parts.slice(longest.start + longest.length))}`;
}

function longestZeros(parts: readonly bigint[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < parts.length; start += 1) {
    let length = 0;
    while (start + length < parts.length && parts[start + length] === 0n) length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}

function ipOf(text: string): Ip {
  const ip = parse(text);
  return typeof ip === 'string' ? fail(ip) : ip;
}

function parseCidr(text: string): Cidr | string {
  const quoted = JSON.stringify(text);
  const slash = text.lastIndexOf('/');
  const why = (reason: string) =>
    `network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix(${quoted}): ${reason}`;
  if (slash === -1) return why("no '/'");
  const ip = parse(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (typeof ip === 'string') return why(`ParseAddr(${JSON.stringify(text.slice(0, slash))}): unable to parse IP`);
  if (!/^(0|[1-9]\d{0,2})$/.test(digits)) return why(`bad bits after slash: ${JSON.stringify(digits)}`);
  return Number(digits) <= ip.length ? new Cidr(ip, Number(digits)) : why('prefix length out of range');
}

function cidrOf(text: string): Cidr {
  const cidr = parseCidr(text);
  return typeof cidr === 'string' ? fail(cidr) : cidr;
}

const masked = ({ ip, prefix }: Cidr): Ip => {
  const free = BigInt(ip.length - prefix);
  return new Ip((ip.bits >> free) << free, ip.length);
};

function containsIp(cidr: Cidr, ip: Ip): boolean {
  if (ip.length !== cidr.ip.length) return false;
  const free = BigInt(ip.length - cidr.prefix);
  return ip.bits >> free === cidr.ip.bits >> free;
}

const containsCidr = (outer: Cidr, inner: Cidr): boolean => outer.prefix <= inner.prefix && containsIp(outer, inner.ip);

const begins = (of: Ip, block: string): boolean => containsIp(cidrOf(block), of);
const isGlobalUnicast = (ip: Ip): boolean =>
  ![
    '0.0.0.0/32',
    '255.255.255.255/32',
    '127.0.0.0/8',
    '224.0.0.0/4',
    '169.254.0.0/16',
    '::/128',
    '::1/128',
    'ff00::/8',
    'fe80::/10',
  ].some((block) => begins(ip, block));

export const addresses: readonly Overload[] = [
  define<[string]>('ip(string): net.IP', ipOf, readCost),
  define<[string]>('isIP(string): bool', (text) => typeof parse(text) !== 'string', readCost),
  define<[string]>('ip.isCanonical(string): bool', (text) => textOf(ipOf(text)) === text, readCost),
  define<[Ip]>('string(net.IP): string', textOf),
  define<[Ip]>('(net.IP).family(): int', ({ length }) => (length === 32 ? 4n : 6n)),
  define<[Ip]>('(net.IP).isUnspecified(): bool', ({ bits }) => bits === 0n),
  define<[Ip]>('(net.IP).isLoopback(): bool', (ip) => begins(ip, '127.0.0.0/8') || begins(ip, '::1/128')),
  define<[Ip]>('(net.IP).isLinkLocalMulticast(): bool', (ip) => begins(ip, '224.0.0.0/24') || begins(ip, 'ff02::/16')),
  define<[Ip]>('(net.IP).isLinkLocalUnicast(): bool', (ip) => begins(ip, '169.254.0.0/16') || begins(ip, 'fe80::/10')),
  define<[Ip]>('(net.IP).isGlobalUnicast(): bool', isGlobalUnicast),
  define<[string]>('cidr(string): net.CIDR', cidrOf, readCost),
  define<[string]>('isCIDR(string): bool', (text) => typeof parseCidr(text) !== 'string', readCost),
  define<[Cidr]>('string(net.CIDR): string', ({ ip, prefix }) => `${textOf(ip)}/${prefix}`),
  define<[Cidr]>('(net.CIDR).ip(): net.IP', ({ ip }) => ip),
  define<[Cidr]>('(net.CIDR).prefixLength(): int', ({ prefix }) => BigInt(prefix)),
  define<[Cidr]>('(net.CIDR).masked(): net.CIDR', (cidr) => new Cidr(masked(cidr), cidr.prefix)),
  define<[Cidr, Ip]>('(net.CIDR).containsIP(net.IP): bool', containsIp),
  define<[Cidr, string]>('(net.CIDR).containsIP(string): bool', (cidr, text) => containsIp(cidr, ipOf(text))),
  define<[Cidr, Cidr]>('(net.CIDR).containsCIDR(net.CIDR): bool', containsCidr),
  define<[Cidr, string]>('(net.CIDR).containsCIDR(string): bool', (cidr, text) => containsCidr(cidr, cidrOf(text))),
];
