// Endpoints: reachable addresses, and ports with distinct names.
import { isIP } from 'node:net';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { dns1123Label } from '../../schema/formats.js';
import type { KubeObject } from '../../schema/object.js';
import type { Strategy } from '../strategy.js';

/** The ranges of addresses that mean this machine or this network, and none that clients can reach. */
const ranges: readonly (readonly [RegExp, string])[] = [
  [/^127\.|^::1$/, 'loopback range (127.0.0.0/8, ::1/128)'],
  [/^169\.254\.|^fe[89ab][0-9a-f]:/i, 'link-local range (169.254.0.0/16, fe80::/10)'],
  [/^224\.0\.0\.|^ff.2:/i, 'link-local multicast range (224.0.0.0/24, ff02::/10)'],
];

/** Returns why clients cannot reach an address; undefined if they may. */
export function whyUnreachable(address: string): string | undefined {
  if (isIP(address) === 0) return 'must be a valid IP address';
  if (address === '0.0.0.0' || address === '::') return `may not be unspecified (${address})`;
  const range = ranges.find(([pattern]) => pattern.test(address));
  return range && `may not be in the ${range[1]}`;
}

export const endpoints: Strategy = {
  createOnReplace: true,
  validate(object: KubeObject, causes) {
    const subsets = (object.subsets ?? []) as readonly ObjectOf<'EndpointSubset'>[];
    subsets.forEach((subset, index) => {
      validateSubset(`subsets[${index}]`, subset, causes);
    });
  },
};

function validateSubset(
  field: string,
  { addresses = [], notReadyAddresses = [], ports = [] }: ObjectOf<'EndpointSubset'>,
  causes: Causes,
): void {
  if (addresses.length + notReadyAddresses.length === 0) {
    causes.required(field, 'must specify `addresses` or `notReadyAddresses`');
  }
  for (const [name, list] of Object.entries({ addresses, notReadyAddresses })) {
    list.forEach(({ ip = '', hostname }, index) => {
      const at = `${field}.${name}[${index}]`;
      if (isIP(ip) === 0)
        causes.invalid(`${at}.ip`, ip, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
      const why = whyUnreachable(ip);
      if (why !== undefined) causes.invalid(`${at}.ip`, ip, why);
      causes.format(`${at}.hostname`, hostname || undefined, dns1123Label);
    });
  }
  ports.forEach(({ name, port, protocol }, index) => {
    const at = `${field}.ports[${index}]`;
    if (!name) {
      if (ports.length > 1) causes.required(`${at}.name`);
    } else causes.format(`${at}.name`, name, dns1123Label);
    causes.port(`${at}.port`, port);
    causes.oneOf(`${at}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']);
  });
}
