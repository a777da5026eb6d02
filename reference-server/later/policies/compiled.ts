// The compiled expressions of a policy, and their values for one request.
import type { KubeObject } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import {
  type Asked,
  admissionExpression,
  admissionVariables,
  conditionsBudget,
  type Names,
  Refused,
} from '../cel/admission.js';
import { Composition } from '../cel/composition.js';
import { CostExceeded, type Variables } from '../cel/evaluate.js';
import { Budget, BudgetExceeded, type Expression } from '../cel/expression.js';
import { EvaluationError, type Value } from '../cel/values.js';
import { aggregated } from '../webhooks/words.js';
import { policySpecOf } from './policy.js';

/** An expression of a stored policy: one that an earlier server has taken may not compile. */
interface Compiled {
  readonly text: string;
  readonly program: Expression | Refused;
}

/** A policy cannot decide about a request; the message says why. */
export class PolicyFailure extends Error {}

/** The value of an expression, or why it has none. */
export type Outcome = { readonly value: Value } | { readonly failure: string };

/** The values of the names of one request, for one of the budgets of a policy. */
export interface Run {
  readonly values: Variables;
  readonly budget: Budget;
}

export class CompiledPolicy {
  readonly composition: Composition;
  readonly conditions: readonly Compiled[];
  readonly validations: readonly Compiled[];
  /** Where validations have them. */
  readonly messages: readonly (Compiled | undefined)[];
  readonly annotations: readonly Compiled[];
  readonly mutations: readonly Compiled[];

  constructor(policy: KubeObject) {
    const spec = policySpecOf(policy);
    const { variables = [], matchConditions = [], validations = [], auditAnnotations = [], mutations = [] } = spec;
    this.composition = new Composition({ params: spec.paramKind !== undefined });
    for (const variable of variables) this.composition.add(variable);
    const { known } = this.composition;
    this.conditions = matchConditions.map(({ expression }) => compiled(expression, ['bool'], known));
    this.validations = validations.map(({ expression }) => compiled(expression, ['bool'], known));
    const ofMessages = { ...known, authorizer: false };
    this.messages = validations.map(({ messageExpression = '' }) =>
      messageExpression === '' ? undefined : compiled(messageExpression, ['string'], ofMessages),
    );
    this.annotations = auditAnnotations.map((one) => compiled(one.valueExpression, ['string', 'null_type'], known));
    this.mutations = mutations.map(({ patchType, jsonPatch, applyConfiguration }) =>
      patchType === 'JSONPatch'
        ? compiled(jsonPatch?.expression ?? '', ['list(JSONPatch)'], { ...known, patches: true })
        : compiled(applyConfiguration?.expression ?? '', ['Object'], { ...known, patches: true }),
    );
  }

  /** Begins a run of expressions that share a budget. */
  run(asked: Asked, budget = new Budget()): Run {
    return { values: this.composition.valuesFrom(admissionVariables(asked), budget), budget };
  }

  /** Reports whether a request meets the conditions. Throws PolicyFailure if that cannot be told. */
  *meetsConditions({ namespaceObject: _unseen, ...asked }: Asked): Steps<boolean> {
    if (this.conditions.length === 0) return true;
    const run = this.run(asked, new Budget(conditionsBudget));
    const failures: string[] = [];
    for (const condition of this.conditions) {
      const outcome = evaluated(condition, run);
      if ('failure' in outcome) failures.push(outcome.failure);
      else if (outcome.value === false) return false;
      yield;
    }
    if (failures.length > 0) throw new PolicyFailure(aggregated(failures));
    return true;
  }
}

function compiled(text: string, results: readonly string[], names: Names): Compiled {
  try {
    return { text, program: admissionExpression(text, results, names) };
  } catch (error) {
    if (error instanceof Refused) return { text, program: error };
    throw error;
  }
}

/** Returns the value of an expression. Throws PolicyFailure if the budget does not suffice. */
export function evaluated({ text, program }: Compiled, { values, budget }: Run): Outcome {
  if (program instanceof Refused) return { failure: `compilation error: ${program.message}` };
  try {
    return { value: program.evaluate(values, budget) };
  } catch (error) {
    if (error instanceof BudgetExceeded) {
      const why = 'validation failed due to running out of cost budget, no further validation rules will be run';
      throw new PolicyFailure(why);
    }
    if (!(error instanceof EvaluationError || error instanceof CostExceeded)) throw error;
    return { failure: `expression '${text}' resulted in error: ${error.message}` };
  }
}
