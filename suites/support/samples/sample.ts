// The shape of a sample: data that makes a valid object of one resource. One file a resource, named group.plural.
import type { JsonObject } from '../json.js';

export interface Sample {
  /** Everything but apiVersion, kind, name, namespace and labels, which the suite adds. */
  readonly fields: JsonObject;
  /** Fields that depend on where the object stands. */
  readonly fieldsIn?: (namespace: string) => JsonObject;
  /** A status that can be written and read back, for resources with a status subresource. */
  readonly status?: JsonObject;
  /** What the object needs so that every server takes that status. */
  readonly beforeStatus?: JsonObject;
  /**
   * A label of each object's own, where a controller takes the pods that a selector finds for its own: objects that
   * share a selector get in each other's way.
   */
  readonly ownLabel?: (label: JsonObject) => JsonObject;
  /** The last part of every name, where a kind wants names of a certain form. */
  readonly nameSuffix?: string;
}
