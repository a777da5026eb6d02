// The names of resources as authors of tests write them, and what to write instead of one that is none.
import type { Resource } from '../../../matrix/api/index.js';
import { near, unknownName } from '../../../matrix/api/nearest.js';
import { OptionError } from '../../optionValues.js';

/** A name in its parts. */
interface Named {
  readonly plural: string;
  readonly group?: string;
}

/** Most of a name must be right for a guess: any other may be a custom resource. */
const mostWrong = 1 / 3;

/** Returns `deployments.apps` in its parts, as kubectl reads it. */
function parted(name: string): Named {
  const dot = name.indexOf('.');
  return dot === -1 ? { plural: name } : { plural: name.slice(0, dot), group: name.slice(dot + 1) };
}

/** Returns the resources of a name, in all versions, and the group that the name or `group` says. Throws an OptionError. */
export function resourcesNamed(
  what: string,
  name: string,
  table: readonly Resource[],
  given?: string,
): { readonly plural: string; readonly group?: string; readonly found: readonly Resource[] } {
  const { plural, group = given } = parted(name);
  if (given !== undefined && group !== given)
    throw new OptionError(`${what}: ${name} and the group ${given || '""'} contradict each other: give one of them`);
  const ofGroup = table.filter(({ groupVersion }) => group === undefined || groupVersion.group === group);
  const found = ofGroup.filter((resource) => resource.plural === plural);
  if (found.length === 0)
    throw new OptionError(`${what}: ${whyNone({ plural, ...(group !== undefined && { group }) }, table)}`);
  return { plural, ...(group !== undefined && { group }), found };
}

/** Returns the resource of a name such as `pods` or `deployments.apps`. Throws an OptionError. */
export function resourceNamed(what: string, name: unknown, table: readonly Resource[]): Resource {
  if (typeof name !== 'string' || name === '') throw new OptionError(`${what}: give a resource, such as pods`);
  const [main = '', subresource] = name.split('/', 2);
  if (subresource !== undefined)
    throw new OptionError(
      `${what}: ${name} is a subresource: give the resource, ${main}, whose objects have all parts`,
    );
  const { found } = resourcesNamed(what, name, table);
  // Of one plural in several groups, the present one is what its users call by it.
  return found.find(({ modern }) => modern === true) ?? (found[0] as Resource);
}

/** Throws an OptionError for a group without resources. */
export function requireGroup(what: string, group: string, table: readonly Resource[]): void {
  const why = unknownGroup(group, table);
  if (why !== undefined) throw new OptionError(`${what}: ${why}`);
}

const noCore = 'there is no group core: the core group is the empty text';

const groupsIn = (table: readonly Resource[]) => [...new Set(table.map(({ groupVersion }) => groupVersion.group))];

function unknownGroup(group: string, table: readonly Resource[]): string | undefined {
  const groups = groupsIn(table);
  if (groups.includes(group)) return undefined;
  const known = groups.filter(Boolean);
  if (near(group, known, mostWrong) !== undefined) return unknownName('group', group, known);
  return group === 'core'
    ? noCore
    : `there is no group ${group}, and no CustomResourceDefinition of it: load the definition first`;
}

/** Says why there is no such resource, and what to write. */
function whyNone({ plural, group }: Named, table: readonly Resource[]): string {
  const version = /^(v\d\w*)\.(.+)$/.exec(group ?? '');
  if (version !== null) return `a name has no version: write ${plural}.${version[2]}`;
  if (group === 'core') return noCore;
  const none = `there is no resource ${plural}${group ? ` in ${group}` : group === undefined ? '' : ' in the core group'}`;
  const ofGroup = table.filter(({ groupVersion }) => group === undefined || groupVersion.group === group);
  const meant = ofGroup.find((resource) => otherNames(resource).has(plural.toLowerCase()));
  if (meant !== undefined) return `${none}; the plural is ${meant.plural}`;
  const elsewhere = table
    .filter((resource) => resource.plural === plural)
    .map(({ groupVersion }) => groupVersion.group);
  if (elsewhere.length > 0)
    return `${none}; it is in ${[...new Set(elsewhere)].map((one) => one || 'the core group').join(', ')}`;
  if (group !== undefined) {
    const unknown = unknownGroup(group, table);
    if (unknown !== undefined) return `there is no resource ${plural}.${group}: ${unknown}`;
  }
  const guess = near(plural, [...new Set(ofGroup.map((resource) => resource.plural))], mostWrong);
  if (guess !== undefined) return `${none}; did you mean ${guess}?`;
  return `${none}, and no CustomResourceDefinition that defines it: load the definition first`;
}

/** The names of a resource that kubectl takes, besides its plural. */
const otherNames = ({ singular, kind, shortNames, plural }: Resource): ReadonlySet<string> =>
  new Set([singular, kind.toLowerCase(), ...shortNames, plural.toLowerCase()]);
