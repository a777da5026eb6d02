// Pairs of items in a list that get in each other's way. A client chooses how many items there are.

/** The most items that are compared with each other, and the most pairs that are told of: real lists are shorter. */
const [mostItems, mostPairs] = [500, 100];

/**
 * Returns what is said of pairs of the first items of a list, in the order of the later ones. `told` returns what is said
 * of an item and an earlier one; undefined if nothing.
 */
export function ofPairs<Item>(
  items: readonly Item[],
  told: (item: Item, earlier: Item) => string | undefined,
): readonly string[] {
  const found: string[] = [];
  for (const [index, item] of items.slice(0, mostItems).entries()) {
    for (const earlier of items.slice(0, index)) {
      const text = told(item, earlier);
      if (text === undefined) continue;
      found.push(text);
      if (found.length === mostPairs) return found;
    }
  }
  return found;
}
