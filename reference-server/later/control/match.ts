// Matches requests by what authors of tests say about them.
import type { Resource } from '../../../matrix/api/index.js';
import { unknownField, unknownName } from '../../../matrix/api/nearest.js';
import { OptionError } from '../../optionValues.js';
import type { RequestFacts } from '../requests/facts.js';
import type { RequestMatch } from './surface.js';

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'head', 'options'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const fields = ['verb', 'method', 'resource', 'group', 'subresource', 'namespace', 'name', 'user'] as const;

export type Matcher = (facts: RequestFacts) => boolean;

/** The server whose requests are matched. */
export interface MatchedServer {
  /** What it serves now. */
  readonly resources: readonly Resource[];
  /** The users that are components of the cluster itself, such as its nodes. */
  readonly components: ReadonlySet<string>;
}

/**
 * Returns the matcher of a match. Requests of components match only if it names their user. `more` are the other fields
 * that the match may have. Throws an OptionError for an unknown field, verb, method, group or resource.
 */
export function requestMatcherOf(
  what: string,
  match: RequestMatch,
  { resources: table, components }: MatchedServer,
  more: readonly string[] = [],
): Matcher {
  requireKnownFields(what, match, [...fields, ...more]);
  for (const field of fields) {
    const value: unknown = match[field];
    if (value !== undefined && typeof value !== 'string') throw new OptionError(`${what}: ${field}: give a text`);
  }
  const { verb, method, namespace, name, user } = match;
  const isKnown = (known: readonly string[], field: string, value: string | undefined): void => {
    if (value !== undefined && !known.includes(value))
      throw new OptionError(`${what}: ${unknownName(field, value, known)}`);
  };
  isKnown(verbs, 'verb', verb);
  isKnown(methods, 'method', method);
  const meant = resourceNameOf(what, match, table);
  const wanted: readonly (readonly [field: keyof RequestFacts, value: string])[] = Object.entries({
    verb,
    method,
    namespace,
    name,
    user,
    ...meant,
  }).flatMap(([field, value]) => (value === undefined ? [] : [[field as keyof RequestFacts, value] as const]));
  return (facts) =>
    (user !== undefined || !components.has(facts.user ?? '')) &&
    wanted.every(([field, value]) => facts[field] === value);
}

/** Throws an OptionError if the value is not an object, or has another field. */
export function requireKnownFields(what: string, value: object, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null) throw new OptionError(`${what}: give an object`);
  for (const field of Object.keys(value))
    if (!known.includes(field)) throw new OptionError(`${what}: ${unknownField(field, known)}`);
}

/** The group, plural and subresource of a match. */
function resourceNameOf(what: string, match: RequestMatch, table: readonly Resource[]): Partial<RequestFacts> {
  const [named, own] = (match.resource ?? '').split('/', 2);
  const subresource = match.subresource ?? own;
  const more = subresource === undefined ? {} : { subresource };
  if (named === undefined || named === '') return { ...groupOf(what, match.group, table), ...more };
  const { plural, group } = parted(named);
  const asked = match.group ?? group;
  findResources(what, plural, asked, table);
  return { resource: plural, ...(asked !== undefined && { group: asked }), ...more };
}

function groupOf(what: string, group: string | undefined, table: readonly Resource[]): Partial<RequestFacts> {
  if (group === undefined) return {};
  const groups = [...new Set(table.map(({ groupVersion }) => groupVersion.group))];
  if (!groups.includes(group)) throw new OptionError(`${what}: ${unknownName('group', group, groups.filter(Boolean))}`);
  return { group };
}

/** `deployments.apps` in its parts, as kubectl reads it. */
function parted(name: string): { readonly plural: string; readonly group?: string } {
  const dot = name.indexOf('.');
  return dot === -1 ? { plural: name } : { plural: name.slice(0, dot), group: name.slice(dot + 1) };
}

function findResources(
  what: string,
  plural: string,
  group: string | undefined,
  table: readonly Resource[],
): readonly Resource[] {
  const ofGroup = table.filter(({ groupVersion }) => group === undefined || groupVersion.group === group);
  if (group !== undefined) groupOf(what, group, table);
  const found = ofGroup.filter((resource) => resource.plural === plural);
  const plurals = [...new Set(ofGroup.map((resource) => resource.plural))];
  const where = group ? `resource in ${group}` : 'resource';
  if (found.length === 0) throw new OptionError(`${what}: ${unknownName(where, plural, plurals)}`);
  return found;
}

/** Returns the first resource of a name such as `pods` or `deployments.apps`. Throws an OptionError if there is none. */
export function resourceNamed(what: string, name: string, table: readonly Resource[]): Resource {
  const { plural, group } = parted(String(name));
  const found = findResources(what, plural, group, table);
  // Of one plural in several groups, the present one is what its users call by it.
  return found.find(({ modern }) => modern === true) ?? (found[0] as Resource);
}
