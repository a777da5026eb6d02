// The rules of endpoint slices: a row for each field.
import { isIP } from 'node:net';
import { whyUnreachable } from '../../../registry/strategies/endpoints.js';
import { badAddress } from '../../../registry/strategies/services.js';
import type { Causes } from '../../../schema/causes.js';
import { dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '../../../schema/formats.js';
import { all, exactlyOneOf, formatted, notMore, type Rule, type Rules, unique } from './rules.js';

const mostEndpoints = 1000;
const mostAddresses = 100;
const mostPorts = 20_000;
const mostHints = 8;

/** Checks an address of a type. The list is named where it is of the other type. */
function checkAddress(type: string, address: string, list: string, field: string, causes: Causes): void {
  if (type === 'FQDN') checkHost(address, field, causes);
  if (type !== 'IPv4' && type !== 'IPv6') return;
  const family = isIP(address);
  if (family === 0) causes.invalid(field, address, badAddress);
  else if (`IPv${family}` !== type) causes.invalid(list, address, `must be an ${type} address`);
  const why = family === 0 ? undefined : whyUnreachable(address);
  if (why !== undefined) causes.invalid(field, address, why);
}

function checkHost(host: string, field: string, causes: Causes): void {
  if (host === '') {
    causes.required(field);
    return;
  }
  const name = host.replace(/\.$/, '');
  const problems = dns1123Subdomain(name);
  if (problems.length > 0) causes.invalid(field, name, problems.join(','));
  else if (!name.includes('.')) {
    causes.invalid(field, name, 'should be a domain with at least two segments separated by dots');
  }
}

const endpoints: Rule = (list = [], at, causes, { addressType = '' }) => {
  notMore(mostEndpoints)(list, at, causes, undefined);
  if (list.length > mostEndpoints) return;
  for (const [index, { addresses = [] }] of list.entries()) {
    const field = `${at()}[${index}].addresses`;
    if (addresses.length === 0) causes.required(field, 'must contain at least 1 address');
    notMore(mostAddresses)(addresses, () => field, causes, undefined);
    for (const [place, address] of addresses.entries()) {
      checkAddress(addressType, address, field, `${field}[${place}]`, causes);
    }
  }
};

const port = {
  name: (name, at, causes) => causes.format(at(), name || undefined, dns1123Label),
  protocol: exactlyOneOf('SCTP', 'TCP', 'UDP'),
  appProtocol: formatted(qualifiedName),
} satisfies Rules[string];

const hints = all(
  notMore(mostHints),
  unique(({ name }) => name ?? '', '.name'),
);

export const endpointRules: Rules = {
  'discovery.v1.EndpointSlice': {
    endpoints,
    ports: all(
      notMore(mostPorts),
      unique(({ name }) => name ?? '', '.name'),
    ),
  },
  'discovery.v1.Endpoint': { nodeName: formatted(dns1123Subdomain), hostname: formatted(dns1123Label) },
  'discovery.v1.EndpointPort': port,
  'discovery.v1.EndpointHints': { forZones: hints, forNodes: hints },
  'discovery.v1.ForZone': { name: (name, at, causes) => causes.format(at(), name ?? '', labelValue) },
  'discovery.v1.ForNode': { name: (name, at, causes) => causes.format(at(), name ?? '', dns1123Subdomain) },
};
