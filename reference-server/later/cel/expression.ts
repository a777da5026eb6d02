// Expressions as the rest of the server uses them: compiled once, run with values of variables.
import { type Checked, check, type Environment } from './check.js';
import { mostCostOf } from './estimate.js';
import { type MakeObject, Meter, runOf, type Variables } from './evaluate.js';
import { patternTime } from './functions/regex.js';
import { library } from './library.js';
import { literalIssues } from './literals.js';
import { parse } from './parse.js';
import { PatternBudget } from './patterns.js';
import { CompileError, childrenOf, type Node } from './syntax.js';
import type { ObjectType, Type } from './types.js';
import type { Value } from './values.js';

/** The most that one run may cost. */
const perRun = 1_000_000;

/** What the expressions of one request may still cost. */
export class Budget {
  readonly patterns = new PatternBudget();

  /** `left` is the most that all rules of a custom resource may cost, and of other objects. */
  constructor(public left = 10_000_000) {}
}

/** All expressions of a request cost more than they may. */
export class BudgetExceeded extends Error {}

export interface Compiling {
  /** The variables and their types. A name may have dots in it. */
  readonly variables: ReadonlyMap<string, Type>;
  /** The types of objects that the expression can make. */
  objectType?(name: string): ObjectType | undefined;
  readonly makeObject?: MakeObject;
  /** The functions that the expression can call; those of the library by default. */
  readonly functions?: Environment['functions'];
}

const noObjects: MakeObject = (type) => {
  throw new Error(`no object of type ${type}`);
};

export class Expression {
  readonly type: Type;
  readonly #run: ReturnType<typeof runOf>;
  readonly #makeObject: MakeObject;

  private constructor(
    readonly text: string,
    readonly tree: Node,
    readonly checked: Checked,
    makeObject: MakeObject = noObjects,
  ) {
    this.type = checked.type;
    this.#run = runOf(tree, checked);
    this.#makeObject = makeObject;
  }

  /** Parses and checks a text. Throws CompileError. */
  static compile(text: string, { variables, objectType, makeObject, functions = library() }: Compiling): Expression {
    const tree = parse(text);
    const environment: Environment = { variables, functions, ...(objectType && { objectType }) };
    const checked = check(tree, environment);
    const issues = checked.issues.length > 0 ? checked.issues : literalIssues(tree, checked);
    if (issues.length > 0) throw new CompileError(text, issues);
    return new Expression(text, tree, checked, makeObject);
  }

  /** Reports whether the expression uses a variable. */
  uses(name: string): boolean {
    return usesVariable(this.tree, name, this.checked);
  }

  /** Returns the most that a run can cost, by the sizes that the types of the variables allow. */
  mostCost(): number {
    return mostCostOf(this.tree, this.checked);
  }

  /**
   * Returns the value. Throws EvaluationError, CostExceeded if the run costs more than one may, or BudgetExceeded if the
   * budget does not suffice.
   */
  evaluate(variables: Variables, budget: Budget): Value {
    const meter = new Meter(perRun);
    patternTime.budget = budget.patterns;
    try {
      return this.#run(variables, meter, this.#makeObject);
    } finally {
      budget.left -= meter.spent;
      // biome-ignore lint/correctness/noUnsafeFinally: what the run gave does not count any more.
      if (budget.left < 0) throw new BudgetExceeded('running out of cost budget');
    }
  }
}

function usesVariable(node: Node, name: string, checked: Checked): boolean {
  if (checked.variableOf(node) === name) return true;
  return childrenOf(node).some((child) => usesVariable(child, name, checked));
}
