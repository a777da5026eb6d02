// The entries of a resource list, and those of one resource: its own, and those of its subresources.
import type { Resource } from '../../matrix/api/index.js';
import { equal } from '../client/expect.js';
import { at, type JsonObject, objectsIn } from '../client/json.js';
import type { Reply } from '../client/reply.js';

/** Returns the entries of a resource list. */
export const listedIn = (reply: Reply): JsonObject[] => objectsIn(at(reply.tryValue(), 'resources'));

/** Returns the entry of a resource in discovery; undefined if there is none. */
export function entryOf(reply: Reply, { plural, kind }: Resource): JsonObject | undefined {
  return listedIn(reply).find(({ name }) => name === plural || isScaleOnly(kind, name, plural));
}

/**
 * Reports whether an entry exists only for a scale: the extensions group lists replicationcontrollers for that, and
 * some servers omit the parent.
 */
function isScaleOnly(kind: string, name: unknown, plural: string): boolean {
  return kind === 'ReplicationControllerDummy' && name === `${plural}/scale`;
}

/** Throws Failure unless the entries of a resource have its scope, its own has its kind, and that of its scale is a Scale. */
export function hasItsEntries(reply: Reply, resource: Resource): void {
  const { plural, kind, namespaced } = resource;
  if (entryOf(reply, resource) === undefined) return;
  for (const entry of listedIn(reply)) {
    const name = String(entry.name);
    if (name !== plural && !name.startsWith(`${plural}/`)) continue;
    equal(entry.namespaced, namespaced, `${reply.request}: namespaced of ${name}`);
    if (name === plural) equal(entry.kind, kind, `${reply.request}: kind of ${name}`);
    if (name === `${plural}/scale`) equal(entry.kind, 'Scale', `${reply.request}: kind of ${name}`);
  }
}
