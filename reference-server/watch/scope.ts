// The scope of a watch: a resource, a key prefix and a selector.
import type { Resource } from '../../matrix/api/index.js';
import type { Selector } from '../query/selection.js';

export interface WatchScope {
  /** The resource in whose version the objects are shown. */
  readonly resource: Resource;
  /** The key prefix of the objects. */
  readonly prefix: string;
  /** The selector; undefined selects all objects under the prefix. */
  readonly selects: Selector | undefined;
  /** Scopes of one resource with the same id have the same objects. */
  readonly id: string;
}
