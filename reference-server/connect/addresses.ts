// The addresses that the server may dial: not this machine's own, nor link-local or multicast addresses.
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { badRequest } from '../errors.js';

const refused = new BlockList();
const ranges = [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
] as const;
for (const [address, bits] of ranges) refused.addSubnet(address, bits, address.includes(':') ? 'ipv6' : 'ipv4');

/** Throws 400 for text that is not an address, and for an unspecified, loopback, link-local or multicast address. */
export function requireAllowed(address: string): void {
  const family = isIP(address);
  const [plain = ''] = address.split('%');
  if (family === 0 || refused.check(plain, family === 6 ? 'ipv6' : 'ipv4')) throw badRequest('address not allowed');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Reports whether an address is one of this machine that no other machine reaches. */
export const isLoopback = (address: string): boolean => isIP(address) > 0 && loopback.check(...of(address));

/** The current addresses of this machine's interfaces. */
const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));

/**
 * Throws 400 for addresses that `requireAllowed` refuses, and for every other address of this machine, where services
 * may trust all local clients.
 */
export function requireOthers(address: string, own = ownAddresses()): void {
  requireAllowed(address);
  const list = new BlockList();
  for (const each of own) list.addAddress(...of(each));
  if (list.check(...of(address))) throw badRequest('address not allowed');
}

function of(address: string): [plain: string, family: 'ipv4' | 'ipv6'] {
  const [plain = ''] = address.split('%');
  return [plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4'];
}
