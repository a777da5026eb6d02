// Which requests there can be: a match that none of them has is a mistake of its author.
import type { Operation } from '../../../matrix/api/index.js';
import { near, unknownName } from '../../../matrix/api/nearest.js';
import { attributesOf } from '../../authorization/attributes.js';
import { OptionError } from '../../optionValues.js';
import { methodsOf } from '../../resolver/resolver.js';
import type { RequestFacts } from '../requests/facts.js';

/** The facts of the requests to one operation. */
type Possible = Pick<RequestFacts, 'verb' | 'method' | 'group' | 'resource' | 'subresource'> & {
  /** Whether their path is that of a namespace. */
  readonly isInNamespace?: boolean;
  /** Whether they can have a name. */
  readonly isNamed?: boolean;
};

/** The fields of a match that say which requests it means. */
type Wanted = {
  readonly [Field in (keyof Possible & keyof RequestFacts) | 'namespace' | 'name']?: string | undefined;
};

/** Paths of no resource take any method, which is their verb. */
const ofPages: readonly Possible[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => ({
  verb: method.toLowerCase(),
  method,
}));

const known = new WeakMap<Operation, readonly Possible[]>();

/** Returns the requests to an operation. */
function requestsTo(operation: Operation): readonly Possible[] {
  const before = known.get(operation);
  if (before !== undefined) return before;
  const path = operation.path.replaceAll(/\{\w+\}/g, 'x');
  const queries = operation.query === 'LW' ? ['', 'watch=true'] : [''];
  const all = [...new Set([...methodsOf(operation), ...(operation.method === 'GET' ? ['HEAD'] : [])])].flatMap((one) =>
    queries.map((text) => factsAt(one, path, text)),
  );
  known.set(operation, all);
  return all;
}

/** Verbs that name an object elsewhere than in the path: in the body, or in a field selector. */
const namesElsewhere = new Set(['create', 'list', 'watch']);

function factsAt(method: string, path: string, query: string): Possible {
  const attributes = attributesOf(method, path, new URLSearchParams(query));
  if ('path' in attributes) return { verb: attributes.verb, method };
  const { verb, group, resource, subresource, namespace, name } = attributes;
  const isNamed = name !== '' || namesElsewhere.has(verb);
  return { method, verb, group, resource, subresource, isInNamespace: namespace !== '', isNamed };
}

/** The fields of a match, in the order in which they are held against the requests. */
const fields = ['resource', 'group', 'subresource', 'verb', 'method'] as const;

/** Throws an OptionError that names the first field of a match with which no request is left. */
export function requirePossible(what: string, wanted: Wanted, operations: readonly Operation[]): void {
  const { resource, group, namespace, name } = wanted;
  const isOfResource = [resource, group, wanted.subresource, namespace, name].some((value) => value !== undefined);
  let left = operations
    .filter((one) => one.resource !== undefined && (resource === undefined || one.resource.plural === resource))
    .flatMap(requestsTo)
    .concat(isOfResource ? [] : ofPages);
  const called = calledOf(wanted);
  for (const field of fields) {
    const value = wanted[field];
    if (value === undefined) continue;
    const fitting = left.filter((request) => request[field] === value);
    if (fitting.length === 0) {
      const others = [...new Set(left.flatMap((request) => request[field] || []))];
      throw new OptionError(`${what}: ${nothing(field, value, others, wanted)}`);
    }
    left = fitting;
  }
  if (namespace !== undefined && !left.some(({ isInNamespace }) => isInNamespace === (namespace !== '')))
    throw new OptionError(
      `${what}: namespace: ${called} ${namespace === '' ? 'always has one' : 'has none'}: leave it out`,
    );
  if (name !== undefined && !left.some(({ isNamed }) => isNamed))
    throw new OptionError(`${what}: name: ${called} has none: leave it out`);
}

/** Says that no request has a value, and which there are. */
function nothing(field: (typeof fields)[number], value: string, others: readonly string[], wanted: Wanted): string {
  const { resource, subresource } = wanted;
  const all = others.join(', ');
  if (field === 'method') return `method: ${calledOf(wanted)} is never ${value}; there are ${all}`;
  if (field === 'verb') return `verb: ${calledOf({ resource, subresource })} is never a ${value}; there are ${all}`;
  if (resource === undefined) return unknownName(field, value, others);
  const none = `${resource} has no ${field} ${value}`;
  if (others.length === 0) return none;
  const guess = near(value, others);
  return guess === undefined ? `${none}; there are ${all}` : `${none}; did you mean ${guess}? There are ${all}`;
}

const calledOf = ({ verb, resource, subresource }: Wanted): string => {
  const requests = verb === undefined ? 'a request' : `a ${verb}`;
  const whole = subresource ? `${resource ?? ''}/${subresource}` : resource;
  return whole === undefined ? requests : `${requests} of ${whole}`;
};
