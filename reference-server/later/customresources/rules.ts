// The rules of a schema (`x-kubernetes-validations`), compiled, and what objects that break them are told.

import { Causes, noValue, rootField } from '../../schema/causes.js';
import { canonicalText, equal, isRecord, own } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import { CostExceeded } from '../cel/evaluate.js';
import { type Budget, BudgetExceeded, Expression } from '../cel/expression.js';
import { CompileError } from '../cel/syntax.js';
import { optionalOf, type Type } from '../cel/types.js';
import { EvaluationError, Optional, type Value } from '../cel/values.js';
import { namesIn } from './fieldPath.js';
import { ruleType } from './ruleTypes.js';
import { ruleValue } from './ruleValues.js';
import { fieldSchema, type Rule, type StructuralSchema, somewhere } from './structuralSchema.js';

/** A rule of one node of a schema. */
interface CompiledRule {
  readonly rule: Rule;
  /** Why the rule does not compile instead, if its definition was written when nothing checked that. */
  readonly test: Expression | CompileError;
  readonly message?: Expression;
  readonly usesOld: boolean;
}

/** Returns the variables of the rules of a type. */
export function ruleVariables(type: Type, { optionalOldSelf }: Rule): ReadonlyMap<string, Type> {
  return new Map([
    ['self', type],
    ['oldSelf', optionalOldSelf === true ? optionalOf(type) : type],
  ]);
}

/** Returns the words of a rule in messages. */
/** What messages call a rule. */
const ruleText = ({ rule, message }: Rule): string => (message || rule).trim();

/** The longest message that an expression may give, in bytes. */
const longestMessage = 5 * 1024;

/** The compiled rules of schemas. */
class CompiledRules {
  readonly #made = new WeakMap<StructuralSchema, readonly CompiledRule[]>();

  of(schema: StructuralSchema, isResource: boolean): readonly CompiledRule[] {
    const known = this.#made.get(schema);
    if (known !== undefined) return known;
    const type = ruleType(schema, isResource);
    const rules = schema['x-kubernetes-validations'] ?? [];
    const made = type === undefined ? [] : rules.map((rule) => compiled(rule, type));
    this.#made.set(schema, made);
    return made;
  }
}

function compiled(rule: Rule, type: Type): CompiledRule {
  const variables = ruleVariables(type, rule);
  const test = compile(rule.rule, variables);
  const message = rule.messageExpression ? compile(rule.messageExpression, variables) : undefined;
  const usesOld = test instanceof Expression && test.uses('oldSelf');
  return { rule, test, ...(message instanceof Expression && { message }), usesOld };
}

function compile(text: string, variables: ReadonlyMap<string, Type>): Expression | CompileError {
  try {
    return Expression.compile(text, { variables });
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
}

const compiledRules = new CompiledRules();

/** Reports whether a schema has rules. */
export const hasRules = somewhere((node) => (node['x-kubernetes-validations'] ?? []).length > 0);

/** A value whose rules are checked: `before` is the value that it replaces, if that can be told. */
interface Ruled {
  readonly schema: StructuralSchema;
  readonly value: unknown;
  readonly field: string;
  readonly before: unknown;
  readonly isResource: boolean;
}

const under = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);

/**
 * Adds a cause for each rule that a value breaks, in steps. Returns the messages of those whose part did not change: such
 * an object may have been stored before the rule was there.
 */
export function* checkRules(root: Root, budget: Budget, causes: Causes): Steps<readonly string[]> {
  if (!hasRules(root.schema)) return [];
  const check = new RuleCheck(budget, causes);
  try {
    yield* check.node({ before: undefined, isResource: false, ...root });
  } catch (error) {
    if (!(error instanceof EndOfBudget)) throw error;
    causes.invalid(error.field || rootField, 'object', error.message);
  }
  return check.warnings;
}

type Root = Pick<Ruled, 'schema' | 'value' | 'field'> & Partial<Ruled>;

/** No further rules are run. */
class EndOfBudget extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

class RuleCheck {
  readonly warnings: string[] = [];

  constructor(
    readonly budget: Budget,
    readonly causes: Causes,
  ) {}

  *node(ruled: Ruled): Steps<void> {
    const { schema, value } = ruled;
    if (value === null || value === undefined || !hasRules(schema)) return;
    for (const rule of compiledRules.of(schema, ruled.isResource)) {
      yield;
      this.#run(rule, ruled);
    }
    if (Array.isArray(value)) yield* this.#items(ruled, value);
    else if (isRecord(value)) yield* this.#fields(ruled, value);
  }

  *#items({ schema, field, before }: Ruled, items: readonly unknown[]): Steps<void> {
    if (!isRecord(schema.items)) return;
    const oldOf = oldItems(schema, before);
    for (const [index, value] of items.entries()) {
      yield* this.node({
        schema: schema.items,
        value,
        field: `${field}[${index}]`,
        before: oldOf(value),
        isResource: false,
      });
    }
  }

  *#fields({ schema, field, before }: Ruled, fields: Readonly<Record<string, unknown>>): Steps<void> {
    const old = isRecord(before) ? before : {};
    for (const [name, value] of Object.entries(fields)) {
      const inner = fieldSchema(schema, name);
      if (inner === undefined) continue;
      const isMap = typeof schema.additionalProperties === 'object';
      const path = isMap ? `${field}[${name}]` : under(field, name);
      yield* this.node({ schema: inner, value, field: path, before: own(old, name), isResource: false });
    }
  }

  #run(compiledRule: CompiledRule, ruled: Ruled): void {
    const { rule, test, usesOld } = compiledRule;
    const { before, field } = ruled;
    const hasBefore = before !== undefined && before !== null;
    if (usesOld && !hasBefore && rule.optionalOldSelf !== true) return;
    const variables = variablesOf(ruled, rule);
    let detail: string | undefined;
    try {
      if (test instanceof CompileError) detail = `rule compile error: ${test.message}`;
      else if (test.evaluate(variables, this.budget) === true) return;
    } catch (error) {
      detail = this.#failure(error, rule, field);
    }
    const causes = new Causes();
    if (detail === undefined) broken(rule, this.#message(compiledRule, variables, field), ruled, causes);
    else causes.invalid(field || rootField, typeNameOf(ruled.schema), detail);
    const isSame = !usesOld && hasBefore && equal(before, ruled.value);
    for (const cause of causes.list) {
      if (isSame) this.warnings.push(`${cause.field}: ${cause.message}`);
      else this.causes.add(cause);
    }
  }

  /** Returns what a run that failed is told. Throws EndOfBudget if no other rule can be run. */
  #failure(error: unknown, rule: Rule, field: string): string {
    const text = ruleText(rule);
    if (error instanceof BudgetExceeded) {
      const why = 'validation failed due to running out of cost budget, no further validation rules will be run';
      throw new EndOfBudget(field, why);
    }
    if (error instanceof CostExceeded) {
      const why = 'no further validation rules will be run due to call cost exceeds limit for rule';
      throw new EndOfBudget(field, `'${error.message}': ${why}: ${text}`);
    }
    if (!(error instanceof EvaluationError)) throw error;
    if (error.message.startsWith('no such overload')) {
      const why = 'call arguments did not match a supported operator, function or macro signature for rule';
      return `'${error.message}': ${why}: ${text}`;
    }
    return `${error.message} evaluating rule: ${text}`;
  }

  #message({ rule, message }: CompiledRule, variables: (name: string) => Value, field: string): string {
    const fallback = rule.message ? ruleText(rule) : `failed rule: ${ruleText(rule)}`;
    if (message === undefined) return fallback;
    try {
      const made = message.evaluate(variables, this.budget);
      const text = typeof made === 'string' ? made.trim() : '';
      const isUsable = text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= longestMessage;
      return isUsable ? text : fallback;
    } catch (error) {
      if (error instanceof BudgetExceeded) this.#failure(error, rule, field);
      return fallback;
    }
  }
}

function variablesOf({ value, schema, before, isResource }: Ruled, rule: Rule): (name: string) => Value {
  let self: Value | undefined;
  return (name) => {
    if (name === 'self') {
      self ??= ruleValue(value, schema, isResource);
      return self;
    }
    const old = before === undefined || before === null ? undefined : ruleValue(before, schema, isResource);
    return rule.optionalOldSelf === true ? new Optional(old) : (old ?? null);
  };
}

/** Returns the function that finds the item that an item replaces: only lists with keys say which it is. */
function oldItems(schema: StructuralSchema, before: unknown): (item: unknown) => unknown {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(before)) return () => undefined;
  const keyOf = (item: unknown): string => canonicalText(keys.map((key) => (isRecord(item) ? own(item, key) : null)));
  const byKey = new Map<string, unknown>(before.map((item: unknown) => [keyOf(item), item]));
  return (item) => byKey.get(keyOf(item));
}

const typeNameOf = ({ type = '' }: StructuralSchema): string => type;

/** Adds the cause of a rule that is false. */
function broken({ fieldPath, reason }: Rule, detail: string, { field, value, schema }: Ruled, causes: Causes): void {
  const at = (fieldPath ? pathBelow(field, fieldPath, schema) : field) || rootField;
  if (reason === 'FieldValueForbidden') causes.forbidden(at, detail);
  else if (reason === 'FieldValueRequired') causes.required(at, detail);
  else if (reason === 'FieldValueDuplicate') causes.duplicate(at, typeof value === 'object' ? noValue : value);
  else causes.invalid(at, typeof value === 'object' ? noValue : value, detail);
}

/** Returns the path of a field below a node. Keys of maps are in brackets. */
function pathBelow(field: string, path: string, schema: StructuralSchema): string {
  let [at, node]: [string, StructuralSchema | undefined] = [field, schema];
  for (const name of namesIn(path)) {
    at = typeof node?.additionalProperties === 'object' ? `${at}[${name}]` : under(at, name);
    node = node && fieldSchema(node, name);
  }
  return at;
}
