// The conversion of kinds whose versions differ by more than their schemas: somebody else is asked for it.
import type { Resource } from '../../matrix/api/index.js';
import type { KubeObject } from '../schema/object.js';
import type { Storage } from '../storage/storage.js';

/** The conversion of a version of a kind. It takes time, and can fail with a Status. */
export interface KindConversion {
  /** Returns a storage whose objects are of this version, though they are stored in another one. */
  over(storage: Storage): Storage;
  /** Converts objects of other versions to this one. From then on, reads of them as this version know the result. */
  converted(objects: readonly KubeObject[]): Promise<readonly KubeObject[]>;
  /** Converts objects to this version without the defaults of theirs. */
  bare(objects: readonly KubeObject[]): Promise<readonly KubeObject[]>;
}

const conversions = new WeakMap<Resource, KindConversion>();

export function setKindConversion(resource: Resource, conversion: KindConversion): void {
  conversions.set(resource, conversion);
}

/** Returns the conversion of a resource; undefined if its objects are converted as they are read. */
export const kindConversionOf = (resource: Resource): KindConversion | undefined => conversions.get(resource);
