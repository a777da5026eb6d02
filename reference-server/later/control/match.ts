// Matches requests by what authors of tests say about them.
import type { Operation, Resource } from '../../../matrix/api/index.js';
import { type Check, type Checks, filled, oneOf, requireFields, text } from '../../fieldChecks.js';
import { OptionError } from '../../optionValues.js';
import type { RequestFacts } from '../requests/facts.js';
import { requirePossible } from './possibleRequests.js';
import { requireGroup, resourcesNamed } from './resourceNames.js';
import type { RequestMatch } from './surface.js';

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'head', 'options'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** What the fields of a match must be. */
export const matchChecks = {
  verb: oneOf('verb', verbs),
  method: oneOf('method', methods),
  resource: filled,
  group: text,
  subresource: text,
  namespace: text,
  name: filled,
  user: filled,
} as const satisfies Record<keyof RequestMatch, Check>;

/** What a server serves now, and whom its own requests come from. */
export interface Served {
  readonly resources: readonly Resource[];
  readonly operations: readonly Operation[];
  /** The users that are components of the cluster itself, such as its nodes. */
  readonly components: ReadonlySet<string>;
}

export type Matcher = (facts: RequestFacts) => boolean;

/**
 * Returns the matcher of a match. Requests of components match only if it names their user. `more` are the other fields that the match may have. Throws an OptionError for a field
 * that is unknown or not right, for an unknown resource, and for a match that no request can have.
 */
export function requestMatcherOf(what: string, match: RequestMatch, served: Served, more: Checks = {}): Matcher {
  requireFields(what, match, { ...matchChecks, ...more });
  const { verb, method, namespace, name, user } = match;
  const wanted = { ...resourceOf(what, match, served.resources), verb, method, namespace, name };
  requirePossible(what, wanted, served.operations);
  const facts = Object.entries({ ...wanted, user }).filter(([, value]) => value !== undefined);
  return (request) =>
    (user !== undefined || !served.components.has(request.user ?? '')) &&
    facts.every(([field, value]) => request[field as keyof RequestFacts] === value);
}

/** The group, plural and subresource of a match. */
function resourceOf(
  what: string,
  { resource = '', group, subresource }: RequestMatch,
  table: readonly Resource[],
): Pick<RequestFacts, 'group' | 'resource' | 'subresource'> {
  const slash = resource.indexOf('/');
  const [name, own] = slash === -1 ? [resource] : [resource.slice(0, slash), resource.slice(slash + 1)];
  if (own !== undefined && subresource !== undefined && own !== subresource)
    throw new OptionError(`${what}: ${resource} and the subresource "${subresource}" contradict each other: give one`);
  const part = subresource ?? own;
  const more = part === undefined ? {} : { subresource: part };
  if (name === '') {
    if (group !== undefined) requireGroup(what, group, table);
    return { ...(group !== undefined && { group }), ...more };
  }
  const { plural, group: known } = resourcesNamed(what, name, table, group);
  return { ...(known !== undefined && { group: known }), resource: plural, ...more };
}
