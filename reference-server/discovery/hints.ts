// What a 404 says about a path without an operation: where the resource is that the client may have meant.
import { apiVersionOf, type GroupVersion, type Resource, subresourceOf, type Verb } from '../../matrix/api/index.js';
import { excerpt } from '../excerpt.js';
import { type ResourcePath, resourcePathOf } from './resourcePath.js';

/** A group that has taken over kinds. */
interface MovedKinds {
  readonly group: string;
  /** The plurals of the kinds in that group, each with the plural that the kind or its predecessor had before. */
  readonly plurals: Readonly<Record<string, string>>;
}

const unchanged = (...plurals: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(plurals.map((plural) => [plural, plural]));

/** Every group that has taken over kinds. */
const movedKinds: readonly MovedKinds[] = [
  { group: 'apps', plurals: unchanged('daemonsets', 'deployments', 'replicasets') },
  { group: 'apiextensions.k8s.io', plurals: { customresourcedefinitions: 'thirdpartyresources' } },
  { group: 'autoscaling', plurals: unchanged('horizontalpodautoscalers') },
  { group: 'batch', plurals: unchanged('jobs') },
  { group: 'discovery.k8s.io', plurals: { endpointslices: 'endpoints' } },
  { group: 'events.k8s.io', plurals: unchanged('events') },
  {
    group: 'extensions',
    plurals: unchanged('daemonsets', 'deployments', 'ingresses', 'networkpolicies', 'replicasets'),
  },
  { group: 'networking.k8s.io', plurals: unchanged('ingresses', 'networkpolicies') },
];

/** The hints of a server. They name only resources and groups that it serves. */
export class Hints {
  readonly #relatives = new Relatives();

  constructor(table: readonly Resource[]) {
    this.change([], table);
  }

  /** Replaces resources by others. The cost depends only on them. */
  change(removed: readonly Resource[], added: readonly Resource[]): void {
    for (const resource of removed) if (hasObjects(resource)) this.#relatives.remove(resource);
    for (const resource of added) if (hasObjects(resource)) this.#relatives.add(resource);
  }

  /** Returns a hint for the path of a request, without a full stop at its end; undefined if nothing is similar. */
  of(pathname: string): string | undefined {
    const path = resourcePathOf(pathname);
    return path === undefined ? undefined : hintFor(path, this.#relatives);
  }
}

const verbsOf = ({ stated, unstated }: Resource): readonly Verb[] => [...stated, ...unstated];

/** Reports whether a resource has more than subresources. */
const hasObjects = (resource: Resource): boolean => verbsOf(resource).some((verb) => subresourceOf(verb) === undefined);

function hintFor(path: ResourcePath, relatives: Relatives): string | undefined {
  const { group, version } = path;
  const served = relatives.groupVersion(group, version);
  if (served !== undefined) {
    const isCore = group === '';
    const prefix = isCore ? '/api' : '/apis';
    if (path.root !== prefix) return `${apiVersionOf(served)} is below ${prefix}, not below ${path.root}`;
    return path.plural === '' ? undefined : inGroupVersion(path, served, relatives);
  }
  return unserved(path, relatives);
}

/** The group version is served, and the resource or the rest of the path is not. */
function inGroupVersion(path: ResourcePath, served: GroupVersion, relatives: Relatives): string | undefined {
  const { plural } = path;
  const resource = relatives.named(plural, served);
  if (resource !== undefined && resource.plural !== plural) {
    return `${apiVersionOf(served)} has no resource ${excerpt(plural)}; the name in the path is ${excerpt(resource.plural)}`;
  }
  if (resource !== undefined) return inResource(path, resource);
  const others = relatives.named(plural);
  return others === undefined
    ? undefined
    : `${apiVersionOf(served)} has no resource ${excerpt(plural)}; ${relatives.places(others)}`;
}

/** The resource is served, and the path does not fit it. */
function inResource({ namespace, rest }: ResourcePath, resource: Resource): string | undefined {
  const { groupVersion, namespaced, plural } = resource;
  if (!namespaced && namespace !== undefined) {
    return `${kindsOf(resource)} are not in a namespace: use ${groupVersion.prefix}/${plural}`;
  }
  if (namespaced && namespace === undefined && rest.length > 0) {
    return `${kindsOf(resource)} are in a namespace: use ${groupVersion.prefix}/namespaces/{namespace}/${plural}/{name}`;
  }
  const [, subresource] = rest;
  const isKnown = verbsOf(resource).some((verb) => subresourceOf(verb) === subresource);
  return isKnown ? undefined : `${kindsOf(resource)} have no subresource ${excerpt(subresource)}`;
}

/** The group version is not served. */
function unserved({ group, version, plural }: ResourcePath, relatives: Relatives): string | undefined {
  const asked = group === '' ? version : `${group}${version === '' ? '' : `/${version}`}`;
  const missing = `${excerpt(asked).slice(1, -1)} is not served`;
  const lower = group.toLowerCase();
  if (lower !== group && relatives.versions(lower).length > 0) return `${missing}; the name of the group is ${lower}`;
  const resource = relatives.moved(group, plural);
  if (resource !== undefined) return `${missing}; ${relatives.places(resource)}`;
  const versions = relatives.versions(group);
  if (versions.length > 0) {
    const name = group === '' ? 'the core group' : `the group ${group}`;
    return `${missing}; ${name} is served in ${listed(versions)}`;
  }
  return `${missing}; the served groups are ${relatives.groups()}`;
}

/** The served resources, by group and by all names that a client may use; the first that was added is the first. */
class Relatives {
  readonly #byName = new Map<string, Set<Resource>>();
  /** The group versions of each group, with the number of their resources. */
  readonly #groups = new Map<string, Map<GroupVersion, number>>();

  add(resource: Resource): void {
    const { groupVersion } = resource;
    const versions = this.#groups.get(groupVersion.group) ?? new Map<GroupVersion, number>();
    this.#groups.set(groupVersion.group, versions.set(groupVersion, (versions.get(groupVersion) ?? 0) + 1));
    for (const name of namesOf(resource)) {
      this.#byName.set(name, (this.#byName.get(name) ?? new Set<Resource>()).add(resource));
    }
  }

  remove(resource: Resource): void {
    const { groupVersion } = resource;
    const versions = this.#groups.get(groupVersion.group);
    const left = (versions?.get(groupVersion) ?? 0) - 1;
    if (left > 0) versions?.set(groupVersion, left);
    else versions?.delete(groupVersion);
    if (versions?.size === 0) this.#groups.delete(groupVersion.group);
    for (const name of namesOf(resource)) {
      const all = this.#byName.get(name);
      all?.delete(resource);
      if (all?.size === 0) this.#byName.delete(name);
    }
  }

  groupVersion(group: string, version: string): GroupVersion | undefined {
    return this.#versionsOf(group).find((served) => served.version === version);
  }

  versions(group: string): string[] {
    return this.#versionsOf(group).map(({ version }) => version);
  }

  /** Lists the names of the first groups, sorted, and says how many more there are; the core group by its version. */
  groups(): string {
    const first = [...this.#groups.keys()].slice(0, mostListed).flatMap((group) => {
      return group === '' ? this.versions('').map((version) => `the core group (${version})`) : [group];
    });
    return listed([...new Set(first)].sort(), this.#groups.size - mostListed);
  }

  #versionsOf(group: string): readonly GroupVersion[] {
    return [...(this.#groups.get(group)?.keys() ?? [])];
  }

  #named(name: string): readonly Resource[] {
    return [...(this.#byName.get(name.toLowerCase()) ?? [])];
  }

  /** Returns the resource with a name of any form and case, in a group version or in any. */
  named(name: string, within?: GroupVersion): Resource | undefined {
    const all = this.#named(name);
    return within === undefined ? all[0] : all.find(({ groupVersion }) => groupVersion === within);
  }

  /**
   * Returns the resource that a group without this version has elsewhere. Other groups may have kinds of the same name
   * that are something else.
   */
  moved(group: string, plural: string): Resource | undefined {
    const all = this.#named(plural);
    const [resource] = all;
    const isOwn = all.some(({ groupVersion }) => groupVersion.group === group);
    if (isOwn || group === '' || group === 'core') return resource;
    const known = movedKinds.find((moved) => moved.group === group)?.plurals ?? {};
    const before = resource?.plural ?? plural.toLowerCase();
    return Object.hasOwn(known, before) ? this.named(known[before] ?? '') : undefined;
  }

  /** Says in which group versions a resource is. */
  places(resource: Resource): string {
    const { plural } = resource;
    const all = this.#named(plural).filter((other) => other.plural === plural);
    return `${kindsOf(resource)} are in ${listed(all.map(({ groupVersion }) => apiVersionOf(groupVersion)))}`;
  }
}

/** Returns the plural of a kind with the capital letters of the kind: `NetworkPolicies` for `NetworkPolicy`. */
function kindsOf({ kind, plural }: Resource): string {
  let common = 0;
  while (common < kind.length && kind[common]?.toLowerCase() === plural[common]) common += 1;
  return kind.slice(0, common) + plural.slice(common);
}

/** Returns the names that a client may use for a resource, in lower case. */
const namesOf = ({ plural, singular, kind, shortNames }: Resource): ReadonlySet<string> =>
  new Set([plural, singular, kind.toLowerCase(), ...shortNames]);

/** The most names that a hint has: a server may have thousands of groups. */
const mostListed = 40;

/** Lists names, and says how many more there are. */
function listed(all: readonly string[], more = all.length - mostListed): string {
  const texts = more > 0 ? [...all.slice(0, mostListed), `${more} more`] : all;
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`;
}
