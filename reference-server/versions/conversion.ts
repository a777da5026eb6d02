// The conversion of an object between its version and the storage version.
import type { DecodedObject, KubeObject } from '../schema/object.js';

export interface Conversion {
  /** Converts from the storage version. The caller sets apiVersion, kind and selfLink. */
  fromStorage(stored: KubeObject): KubeObject;
  /** Converts to the storage version. */
  toStorage(object: DecodedObject): DecodedObject;
}
