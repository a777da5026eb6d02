// The types of Kubernetes objects: those of the field table, with what every stored object has.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';

/** The fields that every stored object has. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectOf<'ObjectMeta'> & { readonly name: string };
}

export type Node = ApiObject & ObjectOf<'Node'>;

/** A server stores no pod without a spec, and no spec without containers. */
export type Pod = ApiObject & ObjectOf<'Pod'> & { readonly spec: PodSpec };
export type PodSpec = ObjectOf<'PodSpec'> & { readonly containers: readonly ObjectOf<'Container'>[] };
