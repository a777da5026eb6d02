// How many objects of each kind are stored.
import type { Resource } from '../../matrix/api/index.js';
import type { Storage } from '../storage/storage.js';
import { prefixOf, storageResource } from '../versions/addresses.js';

/** Returns the served resources, each once and under the group of present servers, with the number of their objects. */
export async function storedCounts(
  resources: readonly Resource[],
  storage: Pick<Storage, 'list'>,
): Promise<(readonly [resource: Resource, count: number])[]> {
  const stored = new Set(resources.map(storageResource));
  return await Promise.all(
    [...stored].map(async (resource) => {
      const { entries, remaining } = await storage.list(prefixOf(resource), { limit: 1 });
      return [shownAs(resource, resources), entries.length + remaining] as const;
    }),
  );
}

/** The resource under whose group present servers count the objects. */
function shownAs(stored: Resource, resources: readonly Resource[]): Resource {
  return resources.find((other) => other.modern === true && storageResource(other) === stored) ?? stored;
}
