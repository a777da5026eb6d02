// The entries of a resource list, and those of one resource: its own, and those of its subresources.
import type { Resource } from '../../matrix/api/index.js';
import { equal, oneOf } from '../client/expect.js';
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

/** The kinds of the bodies of subresources, where they are not the kind of the object. */
const bodyKinds: Readonly<Record<string, string>> = {
  binding: 'Binding',
  rollback: 'DeploymentRollback',
  scale: 'Scale',
};
const ofObjects = ['status', 'finalize'];

/**
 * Throws Failure unless the entries of a resource, in the version that the target serves, have its scope, and the kinds
 * of their bodies. Later servers name the version of a Scale too: the same or, elsewhere than in extensions, autoscaling/v1.
 */
export function hasItsEntries(reply: Reply, resource: Resource, served: string): void {
  const { plural, kind, namespaced } = resource;
  if (entryOf(reply, resource) === undefined) return;
  const versionsOfScale = [served, ...(served === 'extensions/v1beta1' ? [] : ['autoscaling/v1'])];
  for (const entry of listedIn(reply)) {
    const name = String(entry.name);
    const [parent, subresource] = name.split('/');
    if (parent !== plural) continue;
    equal(entry.namespaced, namespaced, `${reply.request}: namespaced of ${name}`);
    const isObject = subresource === undefined || ofObjects.includes(subresource);
    const expected = isObject ? kind : bodyKinds[subresource];
    if (expected !== undefined) equal(entry.kind, expected, `${reply.request}: kind of ${name}`);
    if (subresource !== 'scale' || (entry.group === undefined && entry.version === undefined)) continue;
    const version = `${String(entry.group)}/${String(entry.version)}`;
    oneOf(version, versionsOfScale, `${reply.request}: group and version of ${name}`);
  }
}
