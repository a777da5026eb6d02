// Requirements and the numbered rules of the interface. Only reports need them, and not each worker.
import { type QuotedRule, quotedRule } from '../../matrix/interface/index.js';
import { type Requirement, requirements } from './cases.js';

const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));

/** Returns the rule that a requirement checks. Throws for an id that no requirement has. */
export function ruleOf(requirementId: string): QuotedRule {
  const requirement = byId.get(requirementId);
  if (requirement === undefined) throw new Error(`there is no requirement ${requirementId}`);
  return quotedRule(requirement.row.rule);
}

/** Returns the requirements that check a rule, in the order of the chapters. */
export function requirementsOfRule(number: string): readonly Requirement[] {
  return requirements.filter(({ row }) => row.rule === number);
}
