// The rules that servers did not have from the start: since which minor version, and a row for each field.
import { labelValue } from '../../../schema/formats.js';
import { isWithin, networkOf } from './addresses.js';
import { administeredByVersion } from './administeredRules.js';
import { each, formatted, must, type VersionedRules } from './rules.js';

const exactBlock = must((text) => {
  const network = networkOf(text);
  return network === undefined || !isWithin(network);
}, 'must not have bits set beyond the prefix length');

export const laterRules: readonly VersionedRules[] = [
  ...administeredByVersion,
  [26, { LabelSelectorRequirement: { values: each(formatted(labelValue)) } }],
  [36, { 'extensions.v1beta1.IPBlock': { cidr: exactBlock, except: each(exactBlock) } }],
];
