// The type of a sample: data that makes a valid object of one resource.
import type { JsonObject } from '../../client/json.js';

export interface Sample {
  /** All fields except apiVersion, kind, name, namespace and labels, which the suite adds. */
  readonly fields: JsonObject;
  /**
   * What a replace of the sample changes: something in each field that may change, and that makes no controller act on
   * other objects. A member of the sample that is undefined here is left out of the new object. Empty if nothing but the
   * metadata may change.
   */
  readonly replaced: JsonObject;
  /** What a later replace leaves out of the sample: each member that may be absent, as undefined. */
  readonly leftOut?: JsonObject;
  /** What else a create takes, in fields that no later write may change; over what a replace changes, in a rich create. */
  readonly created?: JsonObject;
  /** Fields that depend on the namespace of the object. */
  readonly fieldsIn?: (namespace: string) => JsonObject;
  /** A status that can be written and read back, for resources with a status subresource. */
  readonly status?: JsonObject;
  /** Fields without which some servers refuse that status. */
  readonly beforeStatus?: JsonObject;
  /**
   * Adds a label that only this object has, for kinds whose controller adopts the pods that match a selector: objects
   * that share a selector would adopt each other's pods.
   */
  readonly ownLabel?: (label: JsonObject) => JsonObject;
  /** The last part of every name, for a kind that requires a certain form of names. */
  readonly nameSuffix?: string;
}

/** Selects no node: pods with it stay pending on every cluster. */
export const noNode = { 'kube-api-conformance/no-such-node': 'yes' } satisfies JsonObject;
