// The rules that servers did not have from the start: since which minor version, and a row for each field.
import { isIP } from 'node:net';
import { labelValue } from '../../../schema/formats.js';
import { canonicalAddress, isMapped, isWithin, networkOf, whyNoBlock } from './addresses.js';
import { administeredByVersion } from './administeredRules.js';
import { each, formatted, must, type Rule, type VersionedRules } from './rules.js';

const exactBlock = must((text) => {
  const network = networkOf(text);
  return network === undefined || !isWithin(network);
}, 'must not have bits set beyond the prefix length');

/** An address in the form of another family is none of its own. */
const ownForm = must((text) => isIP(text) !== 6 || !isMapped(text), 'must not be an IPv4-mapped IPv6 address');

const sourceRanges = 'LoadBalancerSourceRanges';
const isBlock = (text: string): boolean => networkOf(text.trim()) !== undefined;

/** The list of ranges is named in words of its own: as a whole until 1.35. */
const allRanges: Rule = (ranges: readonly string[] = [], at, causes, { type }) => {
  if (type !== 'LoadBalancer' || ranges.every(isBlock)) return;
  const why = 'must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ';
  causes.invalid(at().replace(/[^.]+$/, sourceRanges), ranges, why);
};
const eachRange: Rule = (ranges, at, causes) =>
  each((text, where) => {
    const value = text.trim();
    if (isBlock(text)) exactBlock(value, where, causes, undefined);
    else causes.invalid(where(), value, whyNoBlock(value));
  })(ranges, () => at().replace(/[^.]+$/, sourceRanges), causes, undefined);

/** The addresses of a slice are in their shortest form. */
const canonical: Rule = (list = [], at, causes, { addressType }) => {
  for (const [index, { addresses = [] }] of (addressType === 'FQDN' ? [] : list).entries())
    for (const [position, address] of addresses.entries()) {
      const field = `${at()}[${index}].addresses[${position}]`;
      const form = canonicalAddress(address);
      if (isIP(address) !== 0 && form !== address)
        causes.invalid(field, address, `must be in canonical form ("${form}")`);
    }
};

export const laterRules: readonly VersionedRules[] = [
  ...administeredByVersion,
  [26, { LabelSelectorRequirement: { values: each(formatted(labelValue)) } }],
  [0, { ServiceSpec: { loadBalancerSourceRanges: allRanges } }, 35],
  [
    36,
    {
      'extensions.v1beta1.IPBlock': { cidr: exactBlock, except: each(exactBlock) },
      ServiceSpec: { loadBalancerSourceRanges: eachRange, externalIPs: each(ownForm) },
      NodeSpec: { podCIDRs: each(exactBlock) },
      EndpointAddress: { ip: ownForm },
      PodDNSConfig: { nameservers: each(ownForm) },
      HostAlias: { ip: ownForm },
      'discovery.v1.EndpointSlice': { endpoints: canonical },
    },
  ],
];
