// The variables of a policy: expressions with names, which later ones can use. Each is evaluated when it is first used.
import { admissionExpression, type Names, Refused } from './admission.js';
import { CostExceeded, type Variables } from './evaluate.js';
import type { Budget, Expression } from './expression.js';
import { dyn, listOf, mapOf, type Type } from './types.js';
import { EvaluationError, Mapping, type Value } from './values.js';

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

/** Variables, compiled in their order. */
export class Composition {
  readonly #compiled = new Map<string, Expression | Refused>();
  readonly #types = new Map<string, Type>();

  /** `names` are those that all expressions have. */
  constructor(readonly names: Names) {}

  /** What an expression can name: the variables too, if there are any. */
  get known(): Names {
    return this.#types.size === 0 ? this.names : this.#withVariables;
  }

  get #withVariables(): Names {
    return { ...this.names, variables: new Map(this.#types) };
  }

  /** Adds a variable. Returns why it does not compile; it then has any type, and fails when it is used. */
  add({ name, expression }: NamedExpression): Refused | undefined {
    const compiled = compile(expression, this.#withVariables);
    this.#compiled.set(name, compiled);
    this.#types.set(name, compiled instanceof Refused ? dyn : kept(compiled.type));
    return compiled instanceof Refused ? compiled : undefined;
  }

  /** Returns the values of all names for one request, with the variables. */
  valuesFrom(values: Variables, budget: Budget): Variables {
    const all: Variables = (name) => (name === 'variables' ? lazy : values(name));
    const lazy = new LazyVariables(this.#compiled, all, budget);
    return all;
  }
}

function compile(expression: string, names: Names): Expression | Refused {
  try {
    return admissionExpression(expression, [], names);
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

/** Returns the type that a variable has for other expressions: objects have any. */
function kept(type: Type): Type {
  if (type.kind === 'list') return listOf(kept(type.of));
  if (type.kind === 'map') return mapOf(kept(type.key), kept(type.value));
  return ['object', 'opaque', 'optional', 'type', 'parameter'].includes(type.kind) ? dyn : type;
}

class LazyVariables extends Mapping {
  readonly #made = new Map<string, Value | EvaluationError>();

  constructor(
    readonly compiled: ReadonlyMap<string, Expression | Refused>,
    readonly values: Variables,
    readonly budget: Budget,
  ) {
    super();
  }

  get size(): number {
    return this.compiled.size;
  }

  get(name: Parameters<Mapping['get']>[0]): Value | undefined {
    const expression = typeof name === 'string' ? this.compiled.get(name) : undefined;
    if (expression === undefined) return undefined;
    const known = this.#made.get(name as string) ?? this.#make(name as string, expression);
    this.#made.set(name as string, known);
    if (known instanceof EvaluationError) throw known;
    return known;
  }

  keys(): Iterable<Value> {
    return this.compiled.keys();
  }

  #make(name: string, expression: Expression | Refused): Value | EvaluationError {
    const quoted = JSON.stringify(name);
    if (expression instanceof Refused) {
      return new EvaluationError(`composited variable ${quoted} fails to compile: ${expression.message}`);
    }
    try {
      return expression.evaluate(this.values, this.budget);
    } catch (error) {
      if (!(error instanceof EvaluationError || error instanceof CostExceeded)) throw error;
      return new EvaluationError(`composited variable ${quoted} fails to evaluate: ${error.message}`);
    }
  }
}
