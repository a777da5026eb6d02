// The representations of objects that a client can ask for in place of their own kind: a table, or metadata alone.

/** A representation, from the parameters `as`, `g` and `v` of an Accept clause. */
export interface Representation {
  readonly as: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** The version of the representation: of `Table`, and of the metadata in its rows. */
  readonly apiVersion: string;
}

const group = 'meta.k8s.io';
const versions = ['v1', 'v1beta1'];
const kinds = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'] as const;

/** Every representation. There is one object for each, so that caches can compare by identity. */
const known: ReadonlyMap<string, Representation> = new Map(
  kinds.flatMap((as) =>
    versions.map((version) => [`${as} ${group} ${version}`, { as, apiVersion: `${group}/${version}` }]),
  ),
);

/** Returns the representation that a clause asks for, or undefined if there is none. Names are case-sensitive. */
export function representationOf(as: string, groupName = '', version = ''): Representation | undefined {
  return known.get(`${as} ${groupName} ${version}`);
}
