// The status of a workload, as a client would have written it.
import { typeOf } from '../../../matrix/api/modern/index.js';
import type { Store } from '../../registry/store.js';
import { decodeValue } from '../../schema/decode.js';
import { equal, type KubeObject, objectKeyIn } from '../../schema/object.js';
import { unlessGone } from '../../statusError.js';
import { doAll } from '../../turns.js';

/**
 * Writes the status of an object, if it differs. `type` is its type in the field table: optional counts of zero are
 * absent, as in all stored objects, so that each codec shows the same. An object that has changed since it was seen is
 * left to the reconciliation of that change: two that write what they saw would overwrite each other for ever. Returns
 * whether the object has the status now.
 */
export async function writeStatus(
  store: Pick<Store, 'updateInternally'>,
  object: KubeObject,
  type: string,
  given: object,
): Promise<boolean> {
  const status = doAll(decodeValue(typeOf(type), given));
  const isAsSeen = (current: KubeObject): boolean =>
    current.metadata.resourceVersion === object.metadata.resourceVersion;
  let isSeen = false;
  const change = (current: KubeObject): KubeObject => {
    isSeen = isAsSeen(current);
    return !isSeen || equal(current.status, status) ? current : { ...current, status };
  };
  const entry = await store.updateInternally(objectKeyIn(object), change, { part: 'status' }).catch(unlessGone);
  return isSeen && entry !== undefined;
}
