// What rules must be when a definition is written: expressions that fit their schema and do not cost too much.

import { type Causes, noValue } from '../../schema/causes.js';
import { isRecord } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import { Expression } from '../cel/expression.js';
import { CompileError } from '../cel/syntax.js';
import type { Type } from '../cel/types.js';
import { schemaAt } from './fieldPath.js';
import { hasRules, ruleVariables } from './rules.js';
import { mostInRequest, ruleType } from './ruleTypes.js';
import { isUnreadable, type Rule, type StructuralSchema } from './structuralSchema.js';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasLines = (text: string): boolean => /[\r\n]/.test(text);

/** Adds a cause for each rule of a node whose fields are wrong, whatever its expressions are. */
export function checkRuleForms(schema: StructuralSchema, field: string, causes: Causes): void {
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    checkForm(rule, schema, `${field}.x-kubernetes-validations[${index}]`, causes);
  }
}

function checkForm(rule: Rule, schema: StructuralSchema, at: string, causes: Causes): void {
  const { message = '', messageExpression = '', fieldPath = '', reason } = rule;
  const text = (rule.rule ?? '').trim();
  if (text === '') causes.required(`${at}.rule`, 'rule is not specified');
  else if (message !== '' && message.trim() === '') {
    causes.invalid(`${at}.message`, message, 'must be non-empty if specified');
  } else if (hasLines(message.trim())) causes.invalid(`${at}.message`, message, 'must not contain line breaks');
  else if (hasLines(text) && message === '') {
    causes.required(`${at}.message`, 'message must be specified if rule contains line breaks');
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    causes.required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified');
  }
  causes.oneOf(`${at}.reason`, reason, reasons);
  if (fieldPath === '') return;
  if (fieldPath.trim() === '') causes.invalid(`${at}.fieldPath`, fieldPath, 'must be non-empty if specified');
  if (hasLines(fieldPath)) causes.invalid(`${at}.fieldPath`, fieldPath, 'must not contain line breaks');
  if (!isUnreadable(schema) && 'fault' in schemaAt(schema, fieldPath, true))
    causes.invalid(`${at}.fieldPath`, fieldPath, 'must be a valid path');
}

/** The most that one rule may cost by its estimate, and all rules of a schema. */
const mostPerRule = 10_000_000;
const mostPerSchema = 100_000_000;
/** How many rules are named when all cost too much together. */
const mostNamed = 4;

/** Where a node is: how many values it can have, and the list in which they cannot be found again. */
interface Place {
  readonly schema: StructuralSchema;
  readonly field: string;
  /** The most values; undefined without a limit. */
  readonly count: number | undefined;
  readonly loose?: string;
}

/**
 * Adds a cause for each rule that does not compile, whose type is wrong, or that costs too much, in steps. Rules of
 * `broken` nodes are not looked at.
 */
export function* checkRuleTypes(
  schema: StructuralSchema,
  field: string,
  broken: ReadonlySet<object>,
  causes: Causes,
): Steps<void> {
  const costs: Cost[] = [];
  yield* checkBelow({ schema, field, count: 1 });
  checkTotal(costs, field, causes);

  function* checkBelow(place: Place): Steps<void> {
    if (!hasRules(place.schema)) return;
    for (const inner of placesBelow(place)) yield* checkBelow(inner);
    if (broken.has(place.schema)) return;
    const type = ruleType(place.schema, place.field === field);
    for (const [index, rule] of (place.schema['x-kubernetes-validations'] ?? []).entries()) {
      yield;
      const at = `${place.field}.x-kubernetes-validations[${index}]`;
      if (type !== undefined) checkRule(rule, type, at, place, costs, causes);
    }
  }
}

function placesBelow({ schema, field, count, loose }: Place): Place[] {
  const { properties = {}, additionalProperties, items } = schema;
  const with_ = (place: Omit<Place, 'loose'>, inLoose = loose): Place => ({
    ...place,
    ...(inLoose !== undefined && { loose: inLoose }),
  });
  const times = (most: number | undefined) => (count === undefined || most === undefined ? undefined : count * most);
  const places: Place[] = [];
  if (typeof additionalProperties === 'object') {
    const at = `${field}.additionalProperties`;
    places.push(with_({ schema: additionalProperties, field: at, count: times(schema.maxProperties) }));
  }
  for (const [name, inner] of Object.entries(properties)) {
    places.push(with_({ schema: inner, field: `${field}.properties[${name}]`, count }));
  }
  if (isRecord(items)) {
    const isLoose = schema['x-kubernetes-list-type'] !== 'map';
    places.push(
      with_(
        { schema: items, field: `${field}.items`, count: times(schema.maxItems) },
        isLoose ? (loose ?? field) : loose,
      ),
    );
  }
  return places;
}

interface Cost {
  readonly field: string;
  readonly most: number;
}

function checkRule(rule: Rule, type: Type, at: string, place: Place, costs: Cost[], causes: Causes): void {
  const count = place.count ?? mostInRequest(place.schema);
  const costOf = (expression: Expression, name: string, field: string) => {
    const most = expression.mostCost() * count;
    costs.push({ field, most });
    if (most > mostPerRule) causes.forbidden(field, tooCostly(`estimated ${name} cost`, most, mostPerRule));
  };
  const test = compile(rule.rule, rule, type, `${at}.rule`, 'compilation failed', causes);
  if (test !== undefined) {
    costOf(test, 'rule', `${at}.rule`);
    if (test.type.kind !== 'bool') {
      causes.invalid(`${at}.rule`, noValue, ruleAnd(rule, 'cel expression must evaluate to a bool'));
    }
  }
  if (rule.messageExpression) {
    const field = `${at}.messageExpression`;
    const message = compile(rule.messageExpression, rule, type, field, 'messageExpression compilation failed', causes);
    if (message?.type.kind === 'string') costOf(message, 'messageExpression', field);
    else if (message !== undefined)
      causes.invalid(field, noValue, ruleAnd(rule, 'messageExpression must evaluate to a string'));
  }
  if (test?.uses('oldSelf') === true && place.loose !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.loose}`;
    causes.invalid(`${at}.rule`, rule.rule, why);
  }
  if (test?.uses('oldSelf') !== true && rule.optionalOldSelf !== undefined) {
    causes.invalid(`${at}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule');
  }
}

function compile(
  text: string,
  rule: Rule,
  type: Type,
  field: string,
  failed: string,
  causes: Causes,
): Expression | undefined {
  try {
    return Expression.compile(text, { variables: ruleVariables(type, rule) });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    causes.invalid(field, noValue, ruleAnd(rule, `${failed}: ${error.message}`));
    return undefined;
  }
}

const signs: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** Returns a rule with what is wrong with it, as real servers show it. */
function ruleAnd(rule: Rule, why: string): string {
  const fields = {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
  return `${JSON.stringify(fields).replace(/[<>&]/g, (sign) => signs[sign] ?? sign)}: ${why}`;
}

function checkTotal(costs: readonly Cost[], field: string, causes: Causes): void {
  const total = costs.reduce((sum, { most }) => sum + most, 0);
  if (total <= mostPerSchema) return;
  const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const most = [...costs].sort((one, other) => other.most - one.most).slice(0, mostNamed);
  for (const cost of most) if (cost.most > mostPerSchema / 100) causes.forbidden(cost.field, why);
  const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  causes.forbidden(field, tooCostly(what, total, mostPerSchema));
}

function tooCostly(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const times = factor > 100 ? 'more than 100x' : `${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x`;
  const how =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${times} (${how})`;
}
