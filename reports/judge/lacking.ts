// Names the capabilities that a partial server lacks, in few words: groups, then resources, then parts of them.
import { groupBy } from '../../matrix/api/groupBy.js';
import type { NotSupported } from '../../suites/requirements/index.js';
import type { JudgedCase } from './counts.js';
import { columnOf } from './kindMap.js';

/** Returns the name of the feature in the reason of a case; undefined for other reasons. */
export type FeatureOf = (reason: string | undefined) => string | undefined;

/** Returns a function that finds the feature by the reasons in the header of a run. */
export function featuresIn(notSupported: readonly NotSupported[]): FeatureOf {
  const names = new Map(
    notSupported.flatMap(({ capability, reason }) => {
      const [kind, name] = capability.split(':');
      return kind === 'feature' && name !== undefined ? [[reason, name] as const] : [];
    }),
  );
  return (reason) => (reason === undefined ? undefined : names.get(reason));
}

export function featuresLacked(cases: readonly JudgedCase[], featureOf: FeatureOf): string[] {
  const lacked = cases.filter(({ verdict }) => verdict === 'not-supported');
  return [...new Set(lacked.flatMap(({ message }) => featureOf(message) ?? []))];
}

/**
 * Returns the groups, resources, media types, mechanisms and operations of which no case was supported, the largest
 * first, without those that the absence of a feature explains.
 */
export function lackingCapabilities(all: readonly JudgedCase[], featureOf: FeatureOf = () => undefined): string[] {
  if (all.every(({ verdict }) => verdict !== 'not-supported')) return [];
  const cases = all.filter(({ verdict, message }) => verdict !== 'not-supported' || featureOf(message) === undefined);
  const offered = new Set(cases.filter(({ verdict }) => verdict !== 'not-supported').flatMap(unitsOf));
  const units = new Set<string>();
  for (const lacked of cases) {
    if (lacked.verdict !== 'not-supported') continue;
    const choices = unitsOf(lacked);
    units.add(choices.find((unit) => !offered.has(unit)) ?? `${choices.at(-1)} in part`);
  }
  const resources = new Set(cases.flatMap(({ about }) => (about?.operation?.resource ? [about.resource] : [])));
  return compact([...units], resources);
}

/** Returns the units that a case belongs to, the largest first. */
function unitsOf({ about, subject }: JudgedCase): string[] {
  if (!about?.operation) return [about?.mechanism ?? subject];
  const { resource, operation, mediaType, mechanism } = about;
  const column = operation.verb === 'discover' ? 'discovery' : columnOf(operation.verb);
  return [
    resource.split('/')[0] ?? resource,
    ...(operation.resource ? [resource] : []),
    ...(mediaType ? [mediaType] : []),
    ...(mechanism ? [mechanism] : []),
    `${resource} ${column}`,
  ];
}

/** Replaces the resources with `extensions except ingresses` if most resources of a group are absent. */
function compact(units: readonly string[], resources: ReadonlySet<string>): string[] {
  const groups = groupBy(resources, (resource) => resource.split('/')[0] ?? resource);
  return [...groupBy(units, (unit) => (resources.has(unit) ? (unit.split('/')[0] ?? unit) : unit))].flatMap(
    ([group, members]) => {
      const whole = groups.get(group);
      if (!whole || members[0] === group) return members;
      const kept = whole.filter((resource) => !members.includes(resource));
      if (members.length < 3 || kept.length > 2) return members;
      return [`${group} except ${kept.map((resource) => resource.slice(group.length + 1)).join(' and ')}`];
    },
  );
}
