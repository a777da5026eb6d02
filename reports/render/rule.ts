// The rule of the interface that a requirement checks, for reports that quote it.
import { requirements, ruleOf } from '../../matrix/requirements/index.js';

const known = new Set(requirements.map(({ id }) => id));

/** The rule; undefined for a requirement that the matrix does not have. */
export function quotedRule(requirementId: string): ReturnType<typeof ruleOf> | undefined {
  return known.has(requirementId) ? ruleOf(requirementId) : undefined;
}
