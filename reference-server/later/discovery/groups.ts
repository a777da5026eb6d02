// The entries of aggregated discovery: groups, their versions, and the resources of each with their subresources.
import { groupBy } from '../../../matrix/api/groupBy.js';
import type { GroupVersion, Resource } from '../../../matrix/api/index.js';
import { resourcesOf, versionRank } from '../../discovery/discovery.js';
import type { ApiResource } from '../../discovery/resources.js';

/** A group of another server: its versions, with their resources and whether these are of today. */
export interface RemoteEntries {
  readonly name: string;
  readonly versions: readonly {
    readonly version: string;
    readonly isAvailable: boolean;
    readonly resources: readonly ApiResource[];
  }[];
}

/**
 * Returns the groups below `/api` or `/apis`, in the order of the table, then those of other servers; the preferred version
 * of each is first.
 */
export function groupList(
  path: string,
  table: readonly Resource[],
  remotes: readonly RemoteEntries[] = [],
): readonly object[] {
  const own = ownGroups(path, table);
  const entriesOf = ({ versions }: RemoteEntries, known: readonly string[]) =>
    versions
      .filter(({ version }) => !known.includes(version))
      .map(({ version, resources, isAvailable }) => entryOf(version, resources, isAvailable));
  const merged = own.map((group) => {
    const remote = remotes.find(({ name }) => name === group.metadata.name);
    if (remote === undefined) return group;
    const known = group.versions.map(({ version }) => version);
    return { ...group, versions: [...group.versions, ...entriesOf(remote, known)] };
  });
  const added = remotes.filter(({ name }) => !own.some(({ metadata }) => metadata.name === name));
  return [...merged, ...added.map((remote) => ({ metadata: { name: remote.name }, versions: entriesOf(remote, []) }))];
}

function ownGroups(path: string, table: readonly Resource[]) {
  const rows = groupBy(table, ({ groupVersion }) => groupVersion);
  const own = [...rows].filter(([{ group }]) => (group === '') === (path === '/api'));
  return [...groupBy(own, ([{ group }]) => group)].map(([name, versions]) => ({
    metadata: (name === '' ? {} : { name }) as { readonly name?: string },
    versions: [...versions]
      .sort(([one], [other]) => versionRank(other) - versionRank(one) || (one.version < other.version ? -1 : 1))
      .map(([groupVersion, resources]) => versionEntry(groupVersion, resources, table)),
  }));
}

const versionEntry = (groupVersion: GroupVersion, own: readonly Resource[], table: readonly Resource[]) =>
  entryOf(groupVersion.version, resourcesOf(own, table), true);

function entryOf(version: string, entries: readonly ApiResource[], isCurrent: boolean) {
  const whole = entries.filter(({ name }) => !name.includes('/'));
  return {
    version,
    resources: whole.map((entry) => {
      const parts = entries.filter(({ name }) => name.startsWith(`${entry.name}/`));
      return {
        resource: entry.name,
        responseKind: responseKind(entry),
        scope: entry.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: entry.singularName,
        verbs: entry.verbs,
        ...(entry.shortNames && { shortNames: entry.shortNames }),
        ...(entry.categories && { categories: entry.categories }),
        ...(parts.length > 0 && { subresources: parts.map((part) => subresource(part, entry.name)) }),
      };
    }),
    freshness: isCurrent ? 'Current' : 'Stale',
  };
}

const subresource = (part: ApiResource, of: string): object => ({
  subresource: part.name.slice(of.length + 1),
  responseKind: responseKind(part),
  verbs: part.verbs,
});

/** Real servers name the group version only if it is another one than that of the entry. */
const responseKind = ({ group = '', version = '', kind }: ApiResource): object => ({ group, version, kind });
