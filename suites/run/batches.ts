// Runs actions in small batches, so that only the cases load a server heavily.

const size = 8;

/** Runs `act` on every item, eight at a time. Returns the results in the order of the items. */
export async function inBatches<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += size) {
    results.push(...(await Promise.all(items.slice(start, start + size).map(act))));
  }
  return results;
}
