// Some things at once, and never all of them: a server is asked for much only by its cases.

const size = 8;

/** Does something with every item, eight at a time; returns the results in the order of the items. */
export async function inBatches<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += size) {
    results.push(...(await Promise.all(items.slice(start, start + size).map(act))));
  }
  return results;
}
