// The types of a resource row and of a group, and the verb sets that rows share.
import type { MediaType } from '../mediaTypes.js';
import type { Verb } from '../verbs.js';

/** A group version: its path prefix and the media types that its operations declare. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly prefix: string;
  readonly responseTypes: readonly MediaType[];
  readonly watchTypes: readonly MediaType[];
  /** False for groups that the document does not cover and that clients need. */
  readonly stated: boolean;
  /** Served only if the server's runtime-config option enables it (Versioning, 3). */
  readonly onRequest?: true;
  /** Set if the row comes from the discovery of a target. */
  readonly found?: true;
}

/** A value in JSON that makes a valid object of a kind. */
type SampleFields = Readonly<Record<string, unknown>>;

/** What the suite has to know about a kind that only the target knows. */
export interface FoundTraits {
  /** The media types of its objects that the suite can write and read. */
  readonly objectTypes: readonly MediaType[];
  readonly patchTypes: readonly MediaType[];
  /** Whether its lists can be watched. */
  readonly watchable: boolean;
  /** Why the run sends it only GETs; absent if the run writes objects of the kind. */
  readonly readOnly?: string;
  /** Why no valid object could be made; absent if there is a sample. */
  readonly blocked?: string;
  /** The fields of a valid object, without apiVersion, kind, name, namespace and labels. */
  readonly sample?: SampleFields;
  /** Fields that hold the namespace of their object, where they say `{namespace}`. */
  readonly sampleIn?: SampleFields;
  /** A status that can be written and read back; absent if none is known. */
  readonly status?: SampleFields;
  /** Another status, which the suite writes where no write may have an effect. */
  readonly otherStatus?: SampleFields;
  /** Fields of a valid spec that differ from those of the sample; absent if none are known. */
  readonly otherSpec?: SampleFields;
  /** The server's words if objects of the kind cannot be changed. */
  readonly immutable?: string;
}

/** A kind that a body has. `later` is a later group version in which the kind has the same fields. */
interface BodyKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly later?: string;
}

/** A resource. Routes, discovery entries, checks and report lines all come from its row. */
export interface Resource {
  readonly groupVersion: GroupVersion;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  /** Names that clients use for several resources at once. */
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly stated: readonly Verb[];
  /** The verbs that the document omits and that servers of its age have (readings, 7). */
  readonly unstated: readonly Verb[];
  /** The verbs that came after the interface. The reference server serves them if it is told to (readings, 23). */
  readonly later: readonly Verb[];
  /** The kind of the body, for verbs whose body is not of the resource's own kind. */
  readonly bodyKinds: Partial<Record<Verb, BodyKind>>;
  /** `group/plural` of the resource whose stored objects this resource shows in another version (readings, 8). */
  readonly storageVersion?: string;
  /** The heading in the document that states the resource's own verbs. */
  readonly section: string;
  /** Whether the resource came after the interface. The reference server serves it if it is told to (readings, 23). */
  readonly modern?: true;
  /** The minor version of Kubernetes since which servers have the resource; absent if this server always has it. */
  readonly since?: number;
  /** The id, if it is not `group/plural`: a second version in a group. */
  readonly id?: string;
  /** The resource whose stored objects this one shows, if it is not of the interface. */
  readonly storedAs?: Resource;
  /** Set if the row comes from the discovery of a target. */
  readonly found?: FoundTraits;
}

/** The fields of a row that are written by hand; the others have defaults. */
export type ResourceRow = Pick<Resource, 'plural' | 'kind' | 'stated'> &
  Partial<Omit<Resource, 'plural' | 'kind' | 'stated' | 'groupVersion'>>;

/** Completes a row. The defaults: namespaced, the singular is the kind in lower case, no unstated verbs. */
export function resource(groupVersion: GroupVersion, row: ResourceRow): Resource {
  return {
    groupVersion,
    singular: row.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    unstated: [],
    later: [],
    bodyKinds: {},
    section: groupVersion.group === '' ? 'Core group `/api/v1`' : 'Kind coverage in the group paths',
    ...row,
  };
}

/** Returns the `apiVersion` of a group version, as in objects. */
export function apiVersionOf({ group, version }: Pick<GroupVersion, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

export const collection = ['list', 'deleteCollection', 'create'] as const satisfies readonly Verb[];
export const object = ['read', 'replace', 'delete', 'patch'] as const satisfies readonly Verb[];
export const status = ['readStatus', 'replaceStatus', 'patchStatus'] as const satisfies readonly Verb[];
export const watches = ['watchAll', 'watchList', 'watchOne'] as const satisfies readonly Verb[];
export const scale = ['readScale', 'replaceScale', 'patchScale'] as const satisfies readonly Verb[];
