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
  const requirements: Requirement[] = [];
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
  return matcherOfAll(requirements);
}

/**
 * Returns the matcher of a LabelSelector object: all of matchLabels and matchExpressions must hold. The expressions may
 * also be those of a NodeSelectorTerm.
 */
export function matcherOf(selector: ObjectOf<'LabelSelector'>): LabelMatcher {
  return matcherOfAll([
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({ key, in: [value] })),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
      if (operator === 'In') return { key, in: values };
      if (operator === 'NotIn') return { key, notIn: values };
      const [value = ''] = values;
      if (operator === 'Gt' || operator === 'Lt') {
        // What is not a number is above and below nothing.
        const bound = integerOf(value);
        return bound === undefined ? { key, in: [] } : { key, [operator === 'Gt' ? 'above' : 'below']: bound };
      }
      return { key, exists: operator === 'Exists' };
    }),
  ]);
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

function parseRequirement(tokens: Tokens): Requirement {
  const absent = tokens.peek() === '!';
  if (absent) tokens.take();
  const key = tokens.take();
  if (!isIdentifier(key)) throw unparsable(`found '${key}', expected: identifier`);
  requireKey(key);
  const next = tokens.peek();
  if (absent) return { key, exists: false };
  if (next === ',' || next === end) return { key, exists: true };
  const operator = parseOperator(tokens);
  if (words.has(operator)) {
    const values = parseValues(tokens);
    for (const value of values) requireValue(key, value);
    return operator === 'in' ? { key, in: values } : { key, notIn: values };
  }
  return compare(key, operator, parseExactValue(tokens));
}

function parseOperator(tokens: Tokens): Operator {
  const operator = tokens.take();
  if (['=', '==', '!=', '>', '<', 'in', 'notin'].includes(operator)) return operator as Operator;
  throw unparsable(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
}

function compare(key: string, operator: Operator, value: string): Requirement {
  if (operator === '>' || operator === '<') {
    const bound = integerOf(value);
    if (bound === undefined) {
      const where = `values[0]: Invalid value: ${JSON.stringify(value)}`;
      throw unparsable(`${where}: for 'Gt', 'Lt' operators, the value must be an integer`);
    }
    requireValue(key, value);
    return { key, [operator === '>' ? 'above' : 'below']: bound };
  }
  requireValue(key, value);
  return operator === '!=' ? { key, notIn: [value] } : { key, in: [value] };
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
    } else throw unparsable(`found '${token}', expected: ',', ')' or identifier`);
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
  if (problems.length > 0) throw unparsable(`<nil>: Invalid value: ${JSON.stringify(key)}: ${problems.join('; ')}`);
}

function requireValue(key: string, value: string): void {
  const problems = labelValue(value);
  if (problems.length > 0) {
    throw unparsable(`invalid label value: "${value}": at key: "${key}": ${problems.join('; ')}`);
  }
}

const unparsable = (why: string) => badRequest(`unable to parse requirement: ${why}`);

/** Returns an integer of 64 bits, and undefined for another text. */
function integerOf(text: string): bigint | undefined {
  // As long as a label.
  if (!/^[+-]?\d{1,63}$/.test(text)) return undefined;
  const number = BigInt(text);
  return number === BigInt.asIntN(64, number) ? number : undefined;
}

/** One term. All but `notIn`, and `exists` if it is false, demand that the label exists. */
interface Requirement {
  readonly key: string;
  readonly exists?: boolean;
  readonly in?: readonly string[];
  readonly notIn?: readonly string[];
  readonly above?: bigint;
  readonly below?: bigint;
}

/**
 * All terms about one label together: a selector may have thousands, and is asked about every object of a list. The cost
 * for an object is that of its labels.
 */
class LabelTerms {
  isDemanded = false;
  #isRefused = false;
  #allowed: ReadonlySet<string> | undefined;
  readonly #refused = new Set<string>();
  #above: bigint | undefined;
  #below: bigint | undefined;

  add({ exists, in: values, notIn, above, below }: Requirement): void {
    this.isDemanded ||= exists !== false && notIn === undefined;
    this.#isRefused ||= exists === false;
    const allowed = this.#allowed;
    if (values !== undefined) this.#allowed = new Set(allowed ? values.filter((value) => allowed.has(value)) : values);
    for (const value of notIn ?? []) this.#refused.add(value);
    if (above !== undefined && !(this.#above !== undefined && this.#above > above)) this.#above = above;
    if (below !== undefined && !(this.#below !== undefined && this.#below < below)) this.#below = below;
  }

  match(value: string): boolean {
    if (this.#isRefused || this.#allowed?.has(value) === false || this.#refused.has(value)) return false;
    if (this.#above === undefined && this.#below === undefined) return true;
    const number = integerOf(value);
    if (number === undefined) return false;
    return (this.#above === undefined || number > this.#above) && (this.#below === undefined || number < this.#below);
  }
}

function matcherOfAll(requirements: readonly Requirement[]): LabelMatcher {
  const terms = new Map<string, LabelTerms>();
  for (const requirement of requirements) {
    const { key } = requirement;
    const ofKey = terms.get(key) ?? new LabelTerms();
    ofKey.add(requirement);
    terms.set(key, ofKey);
  }
  const demanded = [...terms.values()].filter(({ isDemanded }) => isDemanded).length;
  return (labels = {}) => {
    let met = 0;
    for (const key of Object.keys(labels)) {
      const ofKey = terms.get(key);
      if (ofKey?.match(labels[key] as string) === false) return false;
      if (ofKey?.isDemanded) met += 1;
    }
    return met === demanded;
  };
}
