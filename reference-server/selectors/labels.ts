// Label selectors: the grammar of `labelSelector`, and matching.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { badRequest } from '../errors.js';
import { labelValue, qualifiedName } from '../schema/formats.js';

type Labels = Readonly<Record<string, string>>;

export type LabelMatcher = (labels: Labels | undefined) => boolean;

type Operator = 'in' | 'notin' | '=' | '==' | '!=' | '>' | '<';
const words = new Set(['in', 'notin']);
const end = '';

/**
 * Parses a label selector. Returns undefined if it selects everything. Throws 400 with the found and expected tokens.
 */
export function parseLabelSelector(text: string): LabelMatcher | undefined {
  const tokens = tokenize(text);
  if (tokens.peek() === end) return undefined;
  const requirements: LabelMatcher[] = [];
  for (;;) {
    const token = tokens.peek();
    if (token !== '!' && !isIdentifier(token)) {
      throw badRequest(`found '${token}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(parseRequirement(tokens));
    const next = tokens.take();
    if (next === end) break;
    if (next !== ',') throw badRequest(`found '${next}', expected: ',' or 'end of string'`);
    const after = tokens.peek();
    if (after !== '!' && !isIdentifier(after)) throw badRequest(`found '${after}', expected: identifier after ','`);
  }
  return (labels) => requirements.every((matches) => matches(labels));
}

/** Returns the matcher of a LabelSelector object: all of matchLabels and matchExpressions must hold. */
export function matcherOf(selector: ObjectOf<'LabelSelector'>): LabelMatcher {
  const requirements = [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => oneOf(key, [value])),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
      if (operator === 'In') return oneOf(key, values);
      if (operator === 'NotIn') return not(oneOf(key, values));
      return operator === 'Exists' ? exists(key) : not(exists(key));
    }),
  ];
  return (labels) => requirements.every((matches) => matches(labels));
}

interface Tokens {
  peek(): string;
  take(): string;
}

const isIdentifier = (token: string): boolean => token !== end && !/^[=!<>(),]/.test(token);

function tokenize(text: string): Tokens {
  const tokens = text.match(/==|!=|[=!<>(),]|[^\s=!<>(),]+/g) ?? [];
  let at = 0;
  return { peek: () => tokens[at] ?? end, take: () => tokens[at++] ?? end };
}

function parseRequirement(tokens: Tokens): LabelMatcher {
  const absent = tokens.peek() === '!';
  if (absent) tokens.take();
  const key = tokens.take();
  if (!isIdentifier(key)) throw unparsable(`found '${key}', expected: identifier`);
  requireKey(key);
  const next = tokens.peek();
  if (absent) return not(exists(key));
  if (next === ',' || next === end) return exists(key);
  const operator = parseOperator(tokens);
  if (words.has(operator)) {
    const values = parseValues(tokens);
    for (const value of values) requireValue(key, value);
    return operator === 'in' ? oneOf(key, values) : not(oneOf(key, values));
  }
  return compare(key, operator, parseExactValue(tokens));
}

function parseOperator(tokens: Tokens): Operator {
  const operator = tokens.take();
  if (['=', '==', '!=', '>', '<', 'in', 'notin'].includes(operator)) return operator as Operator;
  throw unparsable(`found '${operator}', expected: '=', '!=', '==', in, notin`);
}

function compare(key: string, operator: Operator, value: string): LabelMatcher {
  if (operator === '>' || operator === '<') {
    if (!/^[+-]?\d+$/.test(value)) throw unparsable("for 'Gt', 'Lt' operators, the value must be an integer");
    const bound = BigInt(value);
    return (labels) => {
      const actual = labels?.[key];
      if (actual === undefined || !/^[+-]?\d+$/.test(actual)) return false;
      return operator === '>' ? BigInt(actual) > bound : BigInt(actual) < bound;
    };
  }
  requireValue(key, value);
  return operator === '!=' ? not(oneOf(key, [value])) : oneOf(key, [value]);
}

function parseValues(tokens: Tokens): string[] {
  const open = tokens.take();
  if (open !== '(') throw unparsable(`found '${open}' expected: '('`);
  const values: string[] = [];
  for (let expectsValue = true; ; ) {
    const token = tokens.take();
    if (token === ')') {
      if (expectsValue) values.push('');
      return values;
    }
    if (token === ',') {
      if (expectsValue) values.push('');
      expectsValue = true;
    } else if (isIdentifier(token) && expectsValue) {
      values.push(token);
      expectsValue = false;
    } else throw unparsable(`found '${token}', expected: ',', or ')'`);
  }
}

function parseExactValue(tokens: Tokens): string {
  const token = tokens.peek();
  if (token === end || token === ',') return '';
  if (!isIdentifier(token)) throw unparsable(`found '${token}', expected: identifier`);
  return tokens.take();
}

function requireKey(key: string): void {
  const problems = qualifiedName(key);
  if (problems.length > 0) throw unparsable(`invalid label key "${key}": ${problems.join('; ')}`);
}

function requireValue(key: string, value: string): void {
  const problems = labelValue(value);
  if (problems.length > 0) {
    throw unparsable(`invalid label value: "${value}": at key: "${key}": ${problems.join('; ')}`);
  }
}

const unparsable = (why: string) => badRequest(`unable to parse requirement: ${why}`);

// A key may be the name of a property that every JavaScript object inherits.
const labelOf = (labels: Labels | undefined, key: string): string | undefined =>
  labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
const exists =
  (key: string): LabelMatcher =>
  (labels) =>
    labelOf(labels, key) !== undefined;
const not =
  (matches: LabelMatcher): LabelMatcher =>
  (labels) =>
    !matches(labels);
function oneOf(key: string, allowed: readonly string[]): LabelMatcher {
  const values = new Set<string>(allowed);
  return (labels) => {
    const value = labelOf(labels, key);
    return value !== undefined && values.has(value);
  };
}
