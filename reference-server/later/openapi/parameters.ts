// The parameters of an operation in OpenAPI: those of its path, of its query, and those of later clients.
import {
  laterParameters,
  type Operation,
  type Parameter,
  parameterSets,
  type Verb,
  type VerbRow,
  verbs,
} from '../../../matrix/api/index.js';

/** A parameter, without its form in a version of OpenAPI. */
export interface NamedParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'boolean' | 'integer';
}

/** Returns the parameters of a path template, in the order of their names. */
export function pathParameters(path: string): NamedParameter[] {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  return names.sort().map((name) => ({ name, in: 'path', type: 'string' }));
}

/** Returns the query parameters of an operation, in the order of their names, without hidden ones. */
export function queryParameters(operation: Operation, isHidden: (name: string) => boolean): NamedParameter[] {
  const { verb, query } = operation;
  const all: Readonly<Record<string, Parameter>> = {
    ...parameterSets[query],
    ...(verb === 'discover' ? {} : laterOf(verb, query)),
  };
  return Object.entries(all)
    .filter(([name]) => !isHidden(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { type }]) => ({ name, in: 'query', type: type === 'int32' ? 'integer' : type }));
}

function laterOf(verb: Verb, query: Operation['query']): Readonly<Record<string, Parameter>> {
  const row: VerbRow = verbs[verb];
  if (row.answer === 'connect') return {};
  if (row.methods[0] === 'DELETE') return { ...(query === 'LW' && laterParameters.lists), ...laterParameters.deletes };
  if (row.methods[0] === 'PATCH') return laterParameters.patches;
  if (row.methods[0] !== 'GET') return laterParameters.writes;
  return query === 'LW' ? laterParameters.lists : {};
}
