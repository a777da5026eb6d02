// The order of objects in which owners come before what they own: the garbage collector removes what has no owner.
import type { ObjectMeta } from '../../schema/object.js';

/** Returns the items with owners before their dependents. Otherwise the order stays. Owners in a circle do not wait. */
export function ownersFirst<Item>(
  items: readonly Item[],
  metadataOf: (item: Item) => Readonly<ObjectMeta>,
): readonly Item[] {
  const byUid = new Map(items.map((item) => [metadataOf(item).uid, item] as const));
  const ordered = new Set<Item>();
  const begun = new Set<Item>();
  for (const item of items) {
    const waiting = [item];
    for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
      const isBegun = begun.has(next);
      begun.add(next);
      const owners = isBegun ? [] : (metadataOf(next).ownerReferences ?? []).map(({ uid }) => byUid.get(uid));
      const missing = owners.filter((owner) => owner !== undefined && !begun.has(owner)) as Item[];
      if (missing.length > 0) waiting.push(...missing);
      else {
        ordered.add(next);
        waiting.pop();
      }
    }
  }
  return [...ordered];
}
