// Warnings of addresses and blocks that are accepted, but not in the form that they should have.
import { isIP } from 'node:net';
import { bytesOf, canonicalAddress, isMapped, isWithin, networkOf } from '../addresses.js';

const withoutZeros = (text: string): string => text.replace(/(^|[./])0+(?=\d)/g, '$1');

/** Returns the address of 4 bytes that one of 16 stands for; undefined if it stands for itself. */
const mappedIn = (address: string): string | undefined =>
  isMapped(address) ? textOf(bytesOf(address).slice(12)) : undefined;

/** Returns what is said of an address, as in `status.podIPs[0].ip`. */
export function addressWarnings(at: string, value: string): readonly string[] {
  const plain = withoutZeros(value);
  const usual = isIP(value) === 0 ? plain : isIP(value) === 6 ? mappedIn(value) : undefined;
  if (isIP(plain) === 0) return [];
  if (usual !== undefined) return [`${at}: non-standard IP address "${value}" is invalid: use "${usual}"`];
  const canonical = canonicalAddress(value);
  return canonical === value
    ? []
    : [`${at}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${canonical}")`];
}

/** Returns what is said of a block of addresses. */
export function blockWarnings(at: string, value: string): readonly string[] {
  const plain = withoutZeros(value);
  const network = networkOf(plain);
  if (network === undefined) return [];
  const first = firstOf(network.address, network.bits);
  const warnings: string[] = [];
  if (isWithin(network)) {
    const whole = isIP(network.address) === 4 ? 32 : 128;
    const [block, single] = [`${first}/${network.bits}`, `${canonicalAddress(network.address)}/${whole}`];
    warnings.push(`${at}: CIDR value "${value}" is ambiguous in this context (should be "${block}" or "${single}"?)`);
  }
  if (plain !== value)
    warnings.push(`${at}: non-standard CIDR value "${value}" is invalid: use "${first}/${network.bits}"`);
  const canonical = `${canonicalAddress(network.address)}/${network.bits}`;
  if (warnings.length === 0 && canonical !== value)
    warnings.push(`${at}: IPv6 CIDR value "${value}" should be in RFC 5952 canonical format ("${canonical}")`);
  return warnings;
}

/** Returns the first address of the block that has an address. */
function firstOf(address: string, bits: number): string {
  const bytes = bytesOf(address).map((byte, at) => byte & ~(255 >> Math.min(8, Math.max(0, bits - at * 8))));
  return textOf(bytes);
}

function textOf(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const words = Array.from({ length: 8 }, (_, at) =>
    ((bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0)).toString(16),
  );
  return canonicalAddress(words.join(':'));
}
