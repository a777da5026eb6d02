// The shape of a resource row and of a group, and the verb sets that rows share.
import type { MediaType } from '../mediaTypes.js';
import type { Verb } from '../verbs.js';

/** A group version: its path prefix and the media types that its operations declare. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly prefix: string;
  readonly responseTypes: readonly MediaType[];
  readonly watchTypes: readonly MediaType[];
  /** False for groups that the document does not cover; they exist for clients only. */
  readonly stated: boolean;
  /** Served only where the server's runtime-config option enables it (Versioning, 3). */
  readonly onRequest?: true;
}

/** A resource: one row makes its routes, discovery entries, checks and report lines. */
export interface Resource {
  readonly groupVersion: GroupVersion;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly shortNames: readonly string[];
  /** Names that clients use for several resources at once. */
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** The verbs that the document states. */
  readonly stated: readonly Verb[];
  /** The verbs that the document leaves out and that servers of its age have (readings, 7). */
  readonly unstated: readonly Verb[];
  /** The kind of the body, where a verb's body is not the resource's own kind. */
  readonly bodyKinds: Partial<Record<Verb, { readonly apiVersion: string; readonly kind: string }>>;
  /** `group/plural` of the resource whose stored object this one shows in another version (readings, 8). */
  readonly sharedWith?: string;
  /** Where the document states the resource's own verbs. */
  readonly section: string;
}

/** The part of a row that is written by hand; the rest has a default. */
export type ResourceRow = Pick<Resource, 'plural' | 'kind' | 'stated'> &
  Partial<Omit<Resource, 'plural' | 'kind' | 'stated' | 'groupVersion'>>;

/** Completes a row: namespaced, singular is the kind in lower case, nothing unstated. */
export function resource(groupVersion: GroupVersion, row: ResourceRow): Resource {
  return {
    groupVersion,
    singular: row.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    unstated: [],
    bodyKinds: {},
    section: groupVersion.group === '' ? 'Core group `/api/v1`' : 'Kind coverage in the group paths',
    ...row,
  };
}

/** `apiVersion` of a group version, as objects carry it. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

export const collection = ['list', 'deleteCollection', 'create'] as const satisfies readonly Verb[];
export const object = ['read', 'replace', 'delete', 'patch'] as const satisfies readonly Verb[];
export const status = ['readStatus', 'replaceStatus', 'patchStatus'] as const satisfies readonly Verb[];
export const watches = ['watchAll', 'watchList', 'watchOne'] as const satisfies readonly Verb[];
export const scale = ['readScale', 'replaceScale', 'patchScale'] as const satisfies readonly Verb[];
