// Blocks of addresses, and the one text of an address that servers take for a name.
import { BlockList, isIP } from 'node:net';

interface Network {
  readonly list: BlockList;
  readonly bits: number;
  readonly address: string;
}

/** The network of a block of addresses; undefined if it is not one. */
export function networkOf(cidr: string): Network | undefined {
  const [address = '', size = '', ...rest] = cidr.split('/');
  const family = isIP(address);
  const bits = Number(size);
  if (family === 0 || rest.length > 0 || !/^\d+$/.test(size) || bits > (family === 4 ? 32 : 128)) return undefined;
  const list = new BlockList();
  list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  return { list, bits, address };
}

/** Returns what is wrong with a text that names no block. */
export function whyNoBlock(cidr: string): string {
  const withoutZeros = cidr.replace(/(^|[./])0+(?=\d)/g, '$1');
  return withoutZeros !== cidr && networkOf(withoutZeros) !== undefined
    ? 'must not have leading 0s in IP or prefix length'
    : 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
}

/** Reports whether a block is named by another address than its first. */
export const isWithin = ({ address, bits }: Network): boolean =>
  bytesOf(address).some((byte, at) => (byte & (255 >> Math.min(8, Math.max(0, bits - at * 8)))) !== 0);

/** Returns an address in its shortest form, in lower case. */
export const canonicalAddress = (address: string): string =>
  isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;

/** Reports whether a network is named by its first address, in its shortest form. */
export const isCanonical = (network: Network): boolean =>
  !isWithin(network) && canonicalAddress(network.address) === network.address;

/** Reports whether an address of 16 bytes stands for one of 4. */
export const isMapped = (address: string): boolean =>
  bytesOf(address)
    .slice(0, 12)
    .every((byte, at) => byte === (at < 10 ? 0 : 255));

/** Returns the 4 or 16 bytes of an address. */
export function bytesOf(address: string): readonly number[] {
  if (isIP(address) === 4) return address.split('.').map(Number);
  const [before = '', after] = canonicalAddress(address).split('::');
  const groups = (text = ''): string[] => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(before), groups(after)];
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((word) => [word >> 8, word & 255]);
}
