// Objects as their metadata alone: PartialObjectMetadata, which clients ask for that need no more.
import type { ApiObject } from '../../codecs/codec.js';

/** Returns an object with its metadata only. `apiVersion` is that of the representation. */
export function partialOf({ metadata }: ApiObject, apiVersion: string): ApiObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata };
}
