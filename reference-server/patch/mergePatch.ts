// JSON merge patch: RFC 7386. As on real servers, the lists of a patch have no nulls in their maps.
import { isRecord, own, setOwn } from '../schema/object.js';

/** Returns the target with the patch merged in. Changes neither. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) return patch.map((item) => (item === null ? null : mergePatch(undefined, item)));
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (value === null) delete result[name];
    else setOwn(result, name, mergePatch(own(result, name), value));
  }
  return result;
}
