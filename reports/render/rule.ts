// The rule of the interface that a requirement checks, for reports that quote it.
import { requirements } from '../../matrix/requirements/index.js';
import { ruleOf } from '../../matrix/requirements/interface/index.js';

const known = new Set(requirements.map(({ id }) => id));

/** Returns the rule; undefined for a requirement that the matrix does not have. */
export function quotedRule(requirementId: string): ReturnType<typeof ruleOf> | undefined {
  return known.has(requirementId) ? ruleOf(requirementId) : undefined;
}
