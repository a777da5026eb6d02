// What a watch looks at: the objects of a resource, those under a prefix, those that are selected.
import type { Resource } from '../../matrix/api/index.js';
import type { Selector } from '../verbs/selection.js';

export interface Scope {
  /** The version that the objects are shown in. */
  readonly resource: Resource;
  /** What the keys of the objects begin with. */
  readonly prefix: string;
  /** All under the prefix where it is undefined. */
  readonly selects: Selector | undefined;
  /** Two scopes of one resource with the same id mean the same objects. */
  readonly id: string;
}
