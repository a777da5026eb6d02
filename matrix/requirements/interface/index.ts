// The rules of the interface: the rule that a requirement checks, and its URL.
import type { Source } from '../addresses.js';
import { type Requirement, requirements } from '../cases.js';
import { interfaceUrl } from './address.js';
import { sections } from './sections.js';
import type { Rule } from './types.js';

export { anchorOf, interfaceUrl } from './address.js';
export { sections } from './sections.js';
export type { Rule, Section, TableName } from './types.js';

/** Every rule, in the order of the numbers. */
export const rules: readonly Rule[] = sections.flatMap((section) => section.rules);

/** A rule for quotations in reports. */
interface QuotedRule {
  /** `<section>.<rule>`, such as `4.2`. */
  readonly number: string;
  readonly title: string;
  /** One paragraph, with names of the interface in backticks. */
  readonly text: string;
  /** The importance for clients, in one sentence. */
  readonly why: string;
  /** The URL of the rule, in the version of this package. */
  readonly url: string;
}

/** Returns the rule that a requirement checks. Throws for an id that no requirement has. */
export function ruleOf(requirementId: string): QuotedRule {
  const rule = rulesByRequirement().get(requirementId);
  if (rule === undefined) throw new Error(`there is no requirement ${requirementId}`);
  const { number, title, text, why } = rule;
  return { number, title, text, why, url: interfaceUrl(number) };
}

/** Returns the requirements that check a rule, in the order of the chapters. */
export function requirementsOfRule(number: string): readonly Requirement[] {
  return requirements.filter(({ id }) => rulesByRequirement().get(id)?.number === number);
}

/**
 * Returns the rules that match a requirement: those that name the longest part of its id, otherwise those with its
 * first source. A test ensures that each requirement has exactly one.
 */
export function candidatesOf({ id, row }: Pick<Requirement, 'id' | 'row'>): readonly Rule[] {
  const naming = rules.map((rule) => ({ rule, length: longestMatch(rule, id) })).filter(({ length }) => length > 0);
  const most = Math.max(...naming.map(({ length }) => length));
  if (naming.length > 0) return naming.filter(({ length }) => length === most).map(({ rule }) => rule);
  const [first] = row.source;
  return rules.filter(({ sources }) => first !== undefined && (sources as readonly Source[]).includes(first));
}

function longestMatch({ requirements: named = [] }: Rule, id: string): number {
  const lengths = named.map((pattern) => {
    if (!pattern.endsWith('*')) return pattern === id ? pattern.length + 1 : 0;
    return id.startsWith(pattern.slice(0, -1)) ? pattern.length : 0;
  });
  return Math.max(0, ...lengths);
}

let byRequirement: ReadonlyMap<string, Rule> | undefined;

/** Returns the rule of each requirement, found at the first call: few of the programs that load this file quote rules. */
function rulesByRequirement(): ReadonlyMap<string, Rule> {
  byRequirement ??= new Map(
    requirements.flatMap((requirement): (readonly [string, Rule])[] => {
      const [rule] = candidatesOf(requirement);
      return rule === undefined ? [] : [[requirement.id, rule]];
    }),
  );
  return byRequirement;
}
