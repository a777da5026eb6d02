// The interface that measures the objects of one resource for quotas.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { KubeObject } from '../schema/object.js';
import type { Quantities } from '../schema/quantity.js';

/** A scope of a quota, and for some scopes the values that objects must or must not have. */
export type Scope = Readonly<ObjectOf<'ScopedResourceSelectorRequirement'>>;

export interface Evaluator {
  /** The measured resource, as `group/plural`. */
  readonly resource: string;
  /** Reports whether the evaluator measures a quota resource, such as `requests.cpu`. */
  covers(name: string): boolean;
  usage(object: KubeObject): Quantities;
  /**
   * Reports whether an object is in a scope. Resources without scopes do not have this method, and scoped quotas ignore
   * them.
   */
  inScope?(object: KubeObject, scope: Scope): boolean;
  /** Returns the limited resources that the object must specify and does not. */
  unspecified?(object: KubeObject, limited: readonly string[]): readonly string[];
  /** Whether an update can increase the usage. */
  readonly grows?: true;
}
