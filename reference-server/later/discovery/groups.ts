// The entries of aggregated discovery: groups, their versions, and the resources of each with their subresources.
import type { GroupVersion, Resource } from '../../../matrix/api/index.js';
import { groupedBy, resourcesOf, versionRank } from '../../discovery/discovery.js';
import type { ApiResource } from '../../discovery/resources.js';

/** Returns the groups below `/api` or `/apis`, in the order of the table; the preferred version of each is first. */
export function groupList(path: string, table: readonly Resource[]): readonly object[] {
  const rows = groupedBy(table, ({ groupVersion }) => groupVersion);
  const own = [...rows].filter(([{ group }]) => (group === '') === (path === '/api'));
  return [...groupedBy(own, ([{ group }]) => group)].map(([name, versions]) => ({
    metadata: name === '' ? {} : { name },
    versions: [...versions]
      .sort(([one], [other]) => versionRank(other) - versionRank(one) || (one.version < other.version ? -1 : 1))
      .map(([groupVersion, resources]) => versionEntry(groupVersion, resources, table)),
  }));
}

function versionEntry(groupVersion: GroupVersion, own: readonly Resource[], table: readonly Resource[]): object {
  const entries = resourcesOf(own, table);
  const whole = entries.filter(({ name }) => !name.includes('/'));
  return {
    version: groupVersion.version,
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
    freshness: 'Current',
  };
}

const subresource = (part: ApiResource, of: string): object => ({
  subresource: part.name.slice(of.length + 1),
  responseKind: responseKind(part),
  verbs: part.verbs,
});

/** Real servers name the group version only if it is another one than that of the entry. */
const responseKind = ({ group = '', version = '', kind }: ApiResource): object => ({ group, version, kind });
