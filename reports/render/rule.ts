// The rule of the interface that a requirement checks, for reports that quote it.
import { requirements } from '../../suites/requirements/index.js';
import { ruleOf } from '../../suites/requirements/rules.js';

const known = new Set(requirements.map(({ id }) => id));

/** Returns the rule; undefined for a requirement that the matrix does not have. */
export function quotedRule(requirementId: string): ReturnType<typeof ruleOf> | undefined {
  return known.has(requirementId) ? ruleOf(requirementId) : undefined;
}
