// The entries of an APIResourceList, derived from the rows of the table.
import { createHash } from 'node:crypto';
import { apiVersionOf, type Resource, subresourceOf, type Verb, verbs } from '../../matrix/api/index.js';
import { runTimeKindOf } from '../schema/runTimeKind.js';

export interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** Returns an entry for each resource and subresource, sorted by name; those made at run time in the order of real servers. */
export function apiResources(table: readonly Resource[], served: readonly Resource[] = table): ApiResource[] {
  const versions = new Set(served.map(({ groupVersion }) => apiVersionOf(groupVersion)));
  const sorted = [...table].sort((one, other) => (one.plural < other.plural ? -1 : 1));
  return sorted.flatMap((resource) => {
    if (runTimeKindOf(resource) !== undefined) return [madeEntry(resource), ...subresources(resource, versions)];
    return [
      entry(resource),
      ...subresources(resource, versions).sort((one, other) => (one.name < other.name ? -1 : 1)),
    ];
  });
}

const madeVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

function madeEntry(resource: Resource): ApiResource {
  const { groupVersion, kind } = resource.storedAs ?? resource;
  const hash = createHash('sha256')
    .update(`${apiVersionOf(groupVersion)}/${kind}`)
    .digest();
  return { ...entry(resource), verbs: madeVerbs, storageVersionHash: hash.subarray(0, 8).toString('base64') };
}

const verbsOf = ({ stated, unstated }: Resource): readonly Verb[] => [...stated, ...unstated];

function entry(resource: Resource): ApiResource {
  const own = verbsOf(resource).filter((verb) => subresourceOf(verb) === undefined && verbs[verb].form !== 'legacy');
  const listed = discoveryVerbs(own);
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: listed,
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
  };
}

/** `versions` are those that the server has: it names the later of two in which it knows a body. */
function subresources(resource: Resource, versions: ReadonlySet<string>): ApiResource[] {
  const bySubresource = new Map<string, Verb[]>();
  for (const verb of verbsOf(resource)) {
    const name = subresourceOf(verb);
    if (name === undefined) continue;
    const known = bySubresource.get(name);
    if (known === undefined) bySubresource.set(name, [verb]);
    else known.push(verb);
  }
  return [...bySubresource].map(([name, own]) => {
    const known = own.map((verb) => resource.bodyKinds[verb]).find((kind) => kind !== undefined);
    const isLater = known?.later !== undefined && versions.has(known.later);
    const body = isLater ? { ...known, apiVersion: known.later as string } : known;
    return {
      name: `${resource.plural}/${name}`,
      singularName: '',
      namespaced: resource.namespaced,
      ...(body === undefined || body.apiVersion === apiVersionOf(resource.groupVersion) ? {} : split(body.apiVersion)),
      kind: body?.kind ?? resource.kind,
      verbs: discoveryVerbs(own),
    };
  });
}

function split(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}

/**
 * Returns the verbs in the order of real servers. Resources with list and delete also have watch: `?watch=true` works
 * on their lists.
 */
function discoveryVerbs(own: readonly Verb[]): string[] {
  const listed = new Set<string>(own.flatMap((verb) => verbs[verb].discovery));
  if (listed.has('list') && listed.has('delete')) listed.add('watch');
  return [...listed].sort();
}
