// The expressions of admission: what they can name, and the values of it for one request.

import type { Variables } from './evaluate.js';
import { Budget, Expression } from './expression.js';
import { type Authorize, Authorizer, ResourceCheck } from './functions/authorizer.js';
import { patching } from './patches.js';
import { CompileError } from './syntax.js';
import { dyn, listOf, mapOf, type ObjectType, type Type, typeNamed, typeText } from './types.js';
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

const times = typeNamed('timestamp');
const texts = listOf(text);
const labels = mapOf(text, text);

/** Real servers show this part of a namespace. */
const namespace = objectOf('kubernetes.Namespace', {
  metadata: objectOf('kubernetes.NamespaceMetadata', {
    name: text,
    generateName: text,
    namespace: text,
    labels,
    annotations: labels,
    UID: text,
    creationTimestamp: times,
    deletionGracePeriodSeconds: typeNamed('int'),
    deletionTimestamp: times,
    generation: typeNamed('int'),
    resourceVersion: text,
    finalizers: texts,
  }),
  spec: objectOf('kubernetes.NamespaceSpec', { finalizers: texts }),
  status: objectOf('kubernetes.NamespaceStatus', {
    conditions: listOf(
      objectOf('kubernetes.NamespaceCondition', {
        status: text,
        type: text,
        lastTransitionTime: times,
        message: text,
        reason: text,
      }),
    ),
    phase: text,
  }),
});

const opaque = (name: string): Type => ({ kind: 'opaque', name: `kubernetes.authorization.${name}` });

const authorizers: readonly (readonly [string, Type])[] = [
  ['authorizer', opaque('Authorizer')],
  ['authorizer.requestResource', opaque('ResourceCheck')],
];

/** What the expressions of a webhook or policy can name, besides what all can. */
export interface Names {
  /** Whether there are parameters. */
  readonly params?: boolean;
  /** The types of the variables of a policy; absent if it has none. */
  readonly variables?: ReadonlyMap<string, Type>;
  /** The types of objects and parameters, where they are known. */
  readonly objectType?: Type;
  readonly paramsType?: Type;
  /** Whether the authorizer can be asked; true by default. */
  readonly authorizer?: boolean;
  /** Whether the expression can make patches. */
  readonly patches?: boolean;
}

function namesOf({ params = false, variables, objectType = dyn, paramsType = dyn, authorizer = true }: Names) {
  return new Map<string, Type>([
    ['object', objectType],
    ['oldObject', objectType],
    ['request', request],
    ['namespaceObject', namespace],
    ...(authorizer ? authorizers : []),
    ...(params ? [['params', paramsType] as const] : []),
    ...(variables === undefined
      ? []
      : [['variables', objectOf('kubernetes.variables', Object.fromEntries(variables))] as const]),
  ]);
}

/** What an expression is asked about. Objects are as JSON has them. */
export interface Asked {
  /** The request of an AdmissionReview, without its objects. */
  readonly request: object;
  readonly object?: unknown;
  readonly oldObject?: unknown;
  /** The namespace of the object. */
  readonly namespaceObject?: unknown;
  readonly params?: unknown;
  /** Answers the questions of `authorizer`; without it they fail. */
  readonly authorize?: Authorize;
}

/** An expression is refused; the message has the words of real servers. */
export class Refused extends Error {}

/** Returns a type as real servers name what an expression must give. */
const resultText = (type: Type): string => (type.kind === 'null' ? 'null_type' : typeText(type));

/** Compiles an expression of admission, which must have one of the types; any if there are none. Throws Refused. */
export function admissionExpression(
  expression: string,
  results: readonly string[] = [],
  names: Names = {},
): Expression {
  let compiled: Expression;
  try {
    compiled = Expression.compile(expression, { variables: namesOf(names), ...(names.patches && patching) });
  } catch (error) {
    if (error instanceof CompileError) throw new Refused(`compilation failed: ${error.message}`);
    throw error;
  }
  const found = resultText(compiled.type);
  if (results.length === 0 || results.includes(found)) return compiled;
  const wanted = results.length === 1 ? results[0] : `one of [${results.join(' ')}]`;
  throw new Refused(`must evaluate to ${wanted} but got ${found}`);
}

const unanswered: Authorize = () => {
  throw new EvaluationError('this server has no authorizer that expressions can ask');
};

/** Returns the values of the variables for one request. */
export function admissionVariables({
  request,
  object,
  oldObject,
  namespaceObject,
  params,
  authorize = unanswered,
}: Asked): Variables {
  const values = new Map<string, Value>();
  const make = (name: string): Value => {
    if (name === 'authorizer') return new Authorizer(authorize, {});
    if (name === 'authorizer.requestResource') return new ResourceCheck(authorize, questionOf(request));
    const known: Readonly<Record<string, unknown>> = { request, object, oldObject, namespaceObject, params };
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
export const conditionsBudget = 2_500_000;
/** The compiled conditions that are kept: requests repeat them. */
const mostKept = 1000;
const kept = new Map<string, Expression>();

/**
 * Returns the value of a condition. Throws Refused or EvaluationError, or an error if it costs more than `budget` has
 * left.
 */
export function evaluateCondition(expression: string, asked: Asked, budget = new Budget(conditionsBudget)): Value {
  let compiled = kept.get(expression);
  if (compiled === undefined) {
    compiled = admissionExpression(expression, ['bool']);
    if (kept.size >= mostKept) kept.clear();
    kept.set(expression, compiled);
  }
  return compiled.evaluate(admissionVariables(asked), budget);
}
