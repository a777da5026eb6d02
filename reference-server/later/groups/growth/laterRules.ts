// The rules that servers did not have from the start: since which minor version, and a row for each field.
import { labelValue } from '../../../schema/formats.js';
import { each, formatted, type Rules } from './rules.js';

export const laterRules: readonly (readonly [since: number, rules: Rules])[] = [
  [26, { LabelSelectorRequirement: { values: each(formatted(labelValue)) } }],
];
