// Endpoints: reachable addresses, and ports with distinct names.
import { isIP } from 'node:net';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { dns1123Label } from '../../schema/formats.js';
import type { KubeObject } from '../../schema/object.js';
import type { Strategy } from '../strategy.js';

/** Address ranges that endpoints may not use. */
export const unreachable: [RegExp, string][] = [
  [/^0\.0\.0\.0$|^::$/, 'may not be unspecified (0.0.0.0 or ::)'],
  [/^127\.|^::1$/, 'may not be in the loopback range (127.0.0.0/8)'],
  [/^169\.254\./, 'may not be in the link-local range (169.254.0.0/16)'],
  [/^224\.0\.0\./, 'may not be in the link-local multicast range (224.0.0.0/24)'],
];

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
      for (const [range, why] of unreachable) if (range.test(ip)) causes.invalid(`${at}.ip`, ip, why);
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
