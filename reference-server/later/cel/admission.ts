// The expressions of admission: what they can name, and the values of it for one request.

import type { Variables } from './evaluate.js';
import { Budget, Expression } from './expression.js';
import { type Authorize, Authorizer, ResourceCheck } from './functions/authorizer.js';
import { dyn, listOf, mapOf, type ObjectType, type Type, typeNamed } from './types.js';
import { EvaluationError, fromJson, type Value } from './values.js';

const text = typeNamed('string');

function objectOf(name: string, fields: Readonly<Record<string, Type>>): ObjectType {
  return { kind: 'object', name, fieldOf: (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined) };
}

const kind = objectOf('kubernetes.GroupVersionKind', { group: text, version: text, kind: text });
const resource = objectOf('kubernetes.GroupVersionResource', { group: text, version: text, resource: text });
const userInfo = objectOf('kubernetes.UserInfo', {
  username: text,
  uid: text,
  groups: listOf(text),
  extra: mapOf(text, listOf(text)),
});

const request = objectOf('kubernetes.AdmissionRequest', {
  kind,
  resource,
  subResource: text,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo,
  dryRun: typeNamed('bool'),
  options: dyn,
});

const opaque = (name: string): Type => ({ kind: 'opaque', name: `kubernetes.authorization.${name}` });

/** The variables of all expressions of admission. */
const always: readonly (readonly [string, Type])[] = [
  ['object', dyn],
  ['oldObject', dyn],
  ['request', request],
  ['authorizer', opaque('Authorizer')],
  ['authorizer.requestResource', opaque('ResourceCheck')],
];

/** What an expression is asked about. Objects are as JSON has them. */
export interface Asked {
  /** The request of an AdmissionReview, without its objects. */
  readonly request: object;
  readonly object?: unknown;
  readonly oldObject?: unknown;
  /** More variables, such as `namespaceObject` and `params`. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Answers the questions of `authorizer`; without it they fail. */
  readonly authorize?: Authorize;
}

/** Compiles an expression of admission. `more` are the variables that it has besides. Throws CompileError. */
export const admissionExpression = (expression: string, more: readonly string[] = []): Expression =>
  Expression.compile(expression, { variables: new Map([...always, ...more.map((name) => [name, dyn] as const)]) });

const unanswered: Authorize = () => {
  throw new EvaluationError('this server has no authorizer that expressions can ask');
};

/** Returns the values of the variables for one request. */
export function admissionVariables({
  request,
  object,
  oldObject,
  more = {},
  authorize = unanswered,
}: Asked): Variables {
  const values = new Map<string, Value>();
  const make = (name: string): Value => {
    if (name === 'authorizer') return new Authorizer(authorize, {});
    if (name === 'authorizer.requestResource') return new ResourceCheck(authorize, questionOf(request));
    const known: Readonly<Record<string, unknown>> = { ...more, request, object, oldObject };
    return fromJson(known[name]);
  };
  return (name) => {
    const value = values.get(name) ?? make(name);
    values.set(name, value);
    return value;
  };
}

/** Returns the question whether a user may do what a request does. */
function questionOf(request: object): Readonly<Record<string, string>> {
  const {
    resource = {},
    subResource = '',
    namespace = '',
    name = '',
  } = request as {
    readonly resource?: { readonly group?: string; readonly resource?: string };
    readonly subResource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  const question = { group: resource.group ?? '', resource: resource.resource ?? '', namespace, name };
  return { ...question, ...(subResource !== '' && { subresource: subResource }) };
}

/** The most that the conditions of one webhook or policy may cost for a request. */
const conditionsBudget = 2_500_000;
/** The compiled conditions that are kept: requests repeat them. */
const mostKept = 1000;
const kept = new Map<string, Expression>();

/**
 * Returns the value of a condition. Throws CompileError or EvaluationError, or an error if it costs more than `budget` has
 * left.
 */
export function evaluateCondition(expression: string, asked: Asked, budget = new Budget(conditionsBudget)): Value {
  let compiled = kept.get(expression);
  if (compiled === undefined) {
    compiled = admissionExpression(expression);
    if (kept.size >= mostKept) kept.clear();
    kept.set(expression, compiled);
  }
  return compiled.evaluate(admissionVariables(asked), budget);
}
