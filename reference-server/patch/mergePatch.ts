// JSON merge patch: RFC 7386.
import { isRecord, own, setOwn } from '../schema/object.js';

/** Returns the target with the patch merged in. Changes neither. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (value === null) delete result[name];
    else setOwn(result, name, mergePatch(own(result, name), value));
  }
  return result;
}
