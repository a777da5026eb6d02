// Which addresses the server may dial: never its own machine's, nor those that belong to nobody in particular.
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

/** Throws 400 for what is no address, and for one that is unspecified, loopback, link-local or multicast. */
export function requireAllowed(address: string): void {
  const family = isIP(address);
  const [plain = ''] = address.split('%');
  if (family === 0 || refused.check(plain, family === 6 ? 'ipv6' : 'ipv4')) throw badRequest('address not allowed');
}

/** What this machine is known by itself: its addresses as its interfaces have them now. */
const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));

/**
 * Throws 400 for what `requireAllowed` refuses, and for any other address of this machine: what listens there may
 * believe every client on the machine itself.
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
