// The numbered rules of the interface.
import { interfaceUrl } from './address.js';
import { sections } from './sections.js';
import type { Rule } from './types.js';

export { anchorOf, interfaceUrl } from './address.js';
export { sections } from './sections.js';
export type { Rule, Section, TableName } from './types.js';

/** Every rule, in the order of the numbers. */
export const rules: readonly Rule[] = sections.flatMap((section): readonly Rule[] => section.rules);

/** A rule for quotations in reports, with its URL in the version of this package. */
export type QuotedRule = Pick<Rule, 'number' | 'title' | 'text' | 'why'> & { readonly url: string };

const quoted = new Map(
  rules.map(({ number, title, text, why }) => [number, { number, title, text, why, url: interfaceUrl(number) }]),
);

/** Throws for a number that no rule has. */
export function quotedRule(number: string): QuotedRule {
  const rule = quoted.get(number);
  if (rule === undefined) throw new Error(`there is no rule ${number}`);
  return rule;
}
