// The conditions of webhooks, and what evaluates their expressions.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Authorize } from '../cel/functions/authorizer.js';
import { aggregated } from './words.js';

type Condition = ObjectOf<'admissionregistration.v1.MatchCondition'>;

/** The variables of expressions: the request of a review, and its objects. */
interface Variables {
  readonly request: object;
  readonly object: unknown;
  readonly oldObject: unknown;
  readonly authorize: Authorize;
}

/** Returns the value of an expression. Throws if it cannot be evaluated. */
export type Evaluate = (expression: string, variables: Variables) => unknown;

/** Reports whether all conditions hold. Throws if none fails to hold, and one cannot be evaluated. */
export function conditionsHold(
  evaluate: Evaluate,
  conditions: readonly Condition[],
  authorize: Authorize,
  { object, oldObject, ...request }: { readonly object: unknown; readonly oldObject: unknown },
): boolean {
  const problems: string[] = [];
  for (const { name, expression } of conditions) {
    try {
      const value = evaluate(expression, { request, object, oldObject, authorize });
      if (value === false) return false;
      if (value !== true) problems.push(`${name}: the expression has no boolean value`);
    } catch (error) {
      problems.push(`expression '${expression}' resulted in error: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (problems.length > 0) throw new Error(aggregated(problems));
  return true;
}
